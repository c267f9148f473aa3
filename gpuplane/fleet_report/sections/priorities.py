"""The priority ladder, and who can preempt whom."""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.fault import counted
from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import ReportSection, joined_tables, report_section
from gpuplane.reports.priorities import (
    ClusterPriorities,
    class_table,
    cluster_priorities,
    contention_table,
    priorities_notes,
)
from policies.document import few


def priorities_section(fleet: Fleet) -> ReportSection:
    found = {each: cluster_priorities(each) for each in fleet.platforms}
    by_name = {platform.name: each for platform, each in found.items()}
    classes = {name: class_table(each.ladder) for name, each in by_name.items()}
    contended = {name: contention_table(each) for name, each in by_name.items() if each.contentions}
    return report_section(
        "priorities",
        _finding(found),
        joined_tables("Who can preempt whom, by pool", contended, "Pool"),
        joined_tables("The classes, highest first", classes, "Class"),
        notes=priorities_notes(by_name.values()),
    )


def _finding(found: Mapping[Platform, ClusterPriorities]) -> str:
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
