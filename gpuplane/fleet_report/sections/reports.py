"""What `gpuplane queues`, `priorities` and `cost` say, of all clusters at once."""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.fault import counted
from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import (
    ReportSection,
    cells,
    joined_tables,
    report_section,
    report_table,
)
from gpuplane.reports.cost.cost_report import statement_notes, statement_tables
from gpuplane.reports.cost.cost_statement import CostStatement
from gpuplane.reports.priorities import (
    ClusterPriorities,
    class_table,
    cluster_priorities,
    contention_table,
    priorities_notes,
)
from gpuplane.reports.queues import cluster_queues, namespace_table, queues_notes
from policies.document import few


def quotas_section(fleet: Fleet) -> ReportSection:
    ledgers = [cluster_queues(each) for each in fleet.platforms]
    lines = [line for each in ledgers for line in each.namespaces]
    borrowing = len({line.namespace for line in lines if line.borrowed})
    without = sum(each.queues is None for each in ledgers)
    finding = f"{counted(borrowing, 'namespace')} may borrow what others leave unused"
    if without:
        finding += f"; {counted(without, 'cluster')} without queues, where nobody borrows"
    tables = {each.cluster: namespace_table(each) for each in ledgers if each.namespaces}
    table = joined_tables("Quotas and what may be borrowed, in allocations", tables, "Pool")
    return report_section("borrowing", finding, table, notes=queues_notes(ledgers))


def priorities_section(fleet: Fleet) -> ReportSection:
    found = {each: cluster_priorities(each) for each in fleet.platforms}
    by_name = {platform.name: each for platform, each in found.items()}
    classes = {name: class_table(each.ladder) for name, each in by_name.items()}
    contended = {name: contention_table(each) for name, each in by_name.items() if each.contentions}
    return report_section(
        "priorities",
        _evictions(found),
        joined_tables("Who can preempt whom, by pool", contended, "Pool"),
        joined_tables("The classes, highest first", classes, "Class"),
        notes=priorities_notes(by_name.values()),
    )


def _evictions(found: Mapping[Platform, ClusterPriorities]) -> str:
    """Name the pools on which pods of one team may evict those of another."""
    pools = [*dict.fromkeys(pool for each in found.items() for pool in _shared(*each))]
    if not pools:
        return "no team evicts pods of another"
    return f"teams evict each other's pods on {counted(len(pools), 'pool')}: {few(pools)}"


def _shared(platform: Platform, priorities: ClusterPriorities) -> Iterator[str]:
    teams = {each.name: each.team_name for each in platform.namespaces}
    for each in priorities.contentions:
        if any(teams[victim] != teams[each.namespace] for victim, _ in each.victims):
            yield f"{platform.name}/{each.pool}"


def prices_section(fleet: Fleet, statement: CostStatement) -> ReportSection:
    prices = next(statement_tables(statement))
    rows = (cells(*row) for row in prices.rows)
    table = report_table("What a node costs an hour", prices.headers, rows, words=prices.words)
    without = len(statement.unpriced)
    finding = f"{without} of {counted(len(statement.pools), 'pool')} have none"
    notes = map(fleet.from_root, statement_notes(statement.unpriced))
    return report_section("prices", finding, table, notes=notes)
