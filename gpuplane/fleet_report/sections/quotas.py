"""Quotas of teams, beside what pools have."""

from collections import Counter
from collections.abc import Iterable, Iterator

from charts_py.platform.platform import Platform
from gpuplane.fleet_report.bar_chart import Bar, BarChart, BarLayout
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    joined_tables,
    report_section,
    report_table,
)
from gpuplane.reports.queues import (
    ClusterQueues,
    NamespaceLine,
    cluster_queues,
    namespace_table,
    pool_table,
    queues_notes,
)

_NOBODY = "nobody"


def quotas_section(fleet: Fleet) -> ReportSection:
    ledgers = {each.name: cluster_queues(each) for each in fleet.platforms}
    pools = {name: pool_table(ledger) for name, ledger in ledgers.items()}
    namespaces = {name: namespace_table(ledger) for name, ledger in ledgers.items()}
    return report_section(
        "quotas",
        _chart(ledgers.values()),
        _commitment_table(fleet.platforms, ledgers),
        joined_tables("capacity", "Pools", pools, first_header="Pool", keys=2, folded=True),
        joined_tables(
            "namespaces", "Namespaces", namespaces, first_header="Pool", keys=3, folded=True
        ),
        notes=queues_notes(ledgers.values()),
    )


def _chart(ledgers: Iterable[ClusterQueues]) -> BarChart:
    bars = tuple(bar for ledger in ledgers for bar in _bars(ledger))
    teams = sorted({bar.series for bar in bars} - {_NOBODY})
    return BarChart(
        name="quota-shares",
        title="Quotas by team, as parts of each pool at its largest",
        description="One bar a pool. The table below has the same numbers.",
        axis="Part of the pool's allocations",
        layout=BarLayout.SHARES,
        series=(*teams, _NOBODY),
        bars=bars,
        rest=True,
    )


def _bars(ledger: ClusterQueues) -> Iterator[Bar]:
    for pool in dict.fromkeys(line.pool for line in ledger.pools):
        place = f"{ledger.cluster}/{pool}"
        owned = Counter[str]()
        for line in ledger.namespaces:
            if line.pool == pool:
                owned[line.team] += line.own
        yield from (Bar(place, team, count) for team, count in owned.items() if count)
        capacity = sum(line.capacity for line in ledger.pools if line.pool == pool)
        if free := capacity - owned.total():
            yield Bar(place, _NOBODY, free)


def _commitment_table(
    platforms: Iterable[Platform], ledgers: dict[str, ClusterQueues]
) -> ReportTable:
    words = ("Cluster", "Pool", "Resource", "Team")
    counts = ("Own", "Own of capacity", "Own of kept", "Reaches", "Reach of capacity")
    rows = (row for platform in platforms for row in _rows(platform, ledgers[platform.name]))
    caption = "Teams, against what pools have at their largest, and what is kept running"
    return report_table("teams", caption, (*words, *counts), rows, words=len(words))


def _rows(platform: Platform, ledger: ClusterQueues) -> Iterator[Named]:
    for line in ledger.pools:
        kept = min(platform.pool(line.pool).min_nodes, line.nodes) * line.per_node
        key = (line.pool, line.resource)
        owners = [each for each in ledger.namespaces if (each.pool, each.resource) == key]
        teams = list(dict.fromkeys(each.team for each in owners))
        sums = [(team, *_sum(owners, team)) for team in teams]
        if len(sums) != 1:
            sums.append(("all teams", *_sum(owners, None)))
        for team, own, reach in sums:
            keys = (platform.name, line.pool, line.resource, team)
            shares = (Cell(f"{own:,}"), _part(own, line.capacity), _part(own, kept))
            reached = (Cell(f"{reach:,}"), _part(reach, line.capacity))
            yield Named(keys, (platform.name,), (*cells(*keys), *shares, *reached))


def _sum(lines: Iterable[NamespaceLine], team: str | None) -> tuple[int, int]:
    found = [line for line in lines if team in (None, line.team)]
    return sum(line.own for line in found), sum(line.reach for line in found)


def _part(count: int, whole: int) -> Cell:
    """Return a part in percent; more than the whole is an over-commitment."""
    if not whole:
        return Cell("0%") if not count else Cell("none kept", Tone.WARNING)
    return Cell(f"{100 * count / whole:.0f}%", Tone.WARNING if count > whole else Tone.PLAIN)
