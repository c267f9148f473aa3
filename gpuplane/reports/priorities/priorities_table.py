"""Priorities as tables for people."""

from collections.abc import Callable, Iterable, Iterator

from charts_py.cluster_file.priority import Preemption
from gpuplane.reports.priorities.disruption import DISRUPTIONS
from gpuplane.reports.priorities.ladder import Ladder, Rung
from gpuplane.reports.priorities.priorities_request import ClusterPriorities
from gpuplane.tables.table import Row, Table

_WAITS = {Preemption.LOWER: "evicts what is lower", Preemption.NEVER: "waits"}
NOBODY = "nobody"


def priorities_tables(clusters: Iterable[ClusterPriorities]) -> Iterator[Table]:
    """Yield the classes of each cluster, who uses them, who evicts whom, and what budgets hold."""
    for cluster in clusters:
        yield class_table(cluster.ladder)
        yield _matrix_table(cluster.ladder)
        yield user_table(cluster.ladder)
        if cluster.contentions:
            yield contention_table(cluster)
    yield disruption_table()


def class_table(ladder: Ladder) -> Table:
    """Return the classes of a cluster, the highest first."""
    return _ladder_table(ladder, ("Value", "Without room", "Description"), _class_row)


def user_table(ladder: Ladder) -> Table:
    """Return who may use each class, and where pods get it by themselves."""
    return _ladder_table(ladder, ("Teams and namespaces", "Default in"), _user_row)


def _matrix_table(ladder: Ladder) -> Table:
    return _ladder_table(ladder, ("Evicts", "Evicted by", "Never evicted by"), _matrix_row)


def _ladder_table(ladder: Ladder, headers: Row, row: Callable[[Ladder, Rung], Row]) -> Table:
    rows = tuple((rung.name, *row(ladder, rung)) for rung in ladder.rungs)
    return Table((f"Class of {ladder.cluster}", *headers), rows, words=1 + len(headers))


def _class_row(_: Ladder, rung: Rung) -> Row:
    priority = rung.priority
    return (str(priority.value), _WAITS[priority.preemption], priority.description)


def _matrix_row(ladder: Ladder, rung: Rung) -> Row:
    sides = (ladder.victims_of(rung), ladder.evictors_of(rung), ladder.never_evictors_of(rung))
    return tuple(", ".join(names) or NOBODY for names in sides)


def _user_row(_: Ladder, rung: Rung) -> Row:
    users = (f"{each.team_name}: {each.name}" for each in rung.users)
    shown = "the platform" if rung.platform_only else ", ".join(users) or NOBODY
    return (shown, ", ".join(rung.default_in))


def contention_table(cluster: ClusterPriorities) -> Table:
    """Return whose pods may evict whose, by pool."""
    headers = (f"Pool of {cluster.ladder.cluster}", "Namespace", "Its pods of", "Evict")
    rows = (
        (each.pool, each.namespace, each.priority, "; ".join(map(_victims, each.victims)))
        for each in cluster.contentions
    )
    return Table(headers, tuple(rows), words=4)


def _victims(victims: tuple[str, tuple[str, ...]]) -> str:
    namespace, classes = victims
    return f"{namespace}: {', '.join(classes)}"


def disruption_table() -> Table:
    """Return what ends pods, and whether budgets hold it back."""
    headers = ("What ends pods", "PodDisruptionBudgets", "Source")
    rows = tuple((each.what, each.budgets, each.source) for each in DISRUPTIONS)
    return Table(headers, rows, words=3)
