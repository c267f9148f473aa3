"""The priority ladder, and who may evict whom."""

from collections.abc import Iterable

from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    ReportTable,
    Tone,
    joined_tables,
    report_section,
    report_table,
    whole_table,
)
from gpuplane.reports.priorities import (
    ClusterPriorities,
    Ladder,
    Rung,
    class_table,
    cluster_priorities,
    contention_table,
    disruption_table,
    priorities_notes,
    user_table,
)


def priorities_section(fleet: Fleet) -> ReportSection:
    found = {each.name: cluster_priorities(each) for each in fleet.platforms}
    classes = {name: class_table(each.ladder) for name, each in found.items()}
    users = {name: user_table(each.ladder) for name, each in found.items()}
    contended = {name: contention_table(each) for name, each in found.items() if each.contentions}
    return report_section(
        "priorities",
        joined_tables("ladder", "The ladder, highest first", classes, first_header="Class"),
        *_matrices(found.values()),
        joined_tables(
            "evictions", "Who may evict whom, by pool", contended, first_header="Pool", keys=3
        ),
        joined_tables("users", "Who may use a class", users, first_header="Class", folded=True),
        whole_table("disruptions", "What ends pods", disruption_table(), folded=True),
        notes=priorities_notes(found.values()),
    )


def _matrices(found: Iterable[ClusterPriorities]) -> Iterable[ReportTable]:
    """Yield a matrix for each ladder, which clusters may have in common."""
    groups: dict[tuple[tuple[str, int, str], ...], list[Ladder]] = {}
    for each in found:
        identity = tuple(
            (rung.name, rung.priority.value, rung.priority.preemption.value)
            for rung in each.ladder.rungs
        )
        groups.setdefault(identity, []).append(each.ladder)
    for ladders in groups.values():
        yield _matrix(ladders[0], tuple(ladder.cluster for ladder in ladders))


def _matrix(ladder: Ladder, clusters: tuple[str, ...]) -> ReportTable:
    name = f"matrix.{'+'.join(clusters)}"
    rows = (
        Named((each.name,), clusters, (Cell(each.name), *(_evicts(each, o) for o in ladder.rungs)))
        for each in ladder.rungs
    )
    headers = ("Pods of ↓ and of →", *(rung.name for rung in ladder.rungs))
    caption = f"Whom pods of a class may evict: {', '.join(clusters)}"
    return report_table(name, caption, headers, rows)


def _evicts(rung: Rung, other: Rung) -> Cell:
    if rung is other:
        return Cell("·")
    return Cell("evict", Tone.WARNING) if rung.evicts(other) else Cell("no")
