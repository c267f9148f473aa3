"""Names that refer to something defined elsewhere in the file."""

from collections.abc import Collection, Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.priority import PLATFORM_PRIORITY
from charts_py.platform.draft import Draft
from gpus.nearest import nearest


def check_references(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool, priority or namespace that nothing defines."""
    yield from _pools(draft)
    yield from _priorities(draft)
    yield from _namespaces(draft)


def _pools(draft: Draft) -> Iterator[Problem]:
    if not draft.is_read(("pools",)):
        return
    pools = draft.names_at(("pools",))
    for path, _, namespace in draft.namespaces():
        for pool in namespace.quota.gpus:
            yield from _known("pool", pool, pools, (*path, "quota", "gpus", pool))
    partitions = draft.cluster.slurm.partitions if draft.cluster.slurm else {}
    for name, partition in partitions.items():
        yield from _known("pool", partition.pool, pools, ("slurm", "partitions", name, "pool"))


def _priorities(draft: Draft) -> Iterator[Problem]:
    if not draft.is_read(("priorities",)):
        return
    ladder = draft.names_at(("priorities",)) or tuple(draft.cluster.priorities)
    of_teams = [priority for priority in ladder if priority != PLATFORM_PRIORITY]
    for team_name, team in draft.cluster.teams.items():
        for index, priority in enumerate(team.priorities):
            path = ("teams", team_name, "priorities", index)
            if priority == PLATFORM_PRIORITY and priority in ladder:
                what = f'priority "{priority}" is the platform\'s own'
                yield Problem(path, what, ", ".join(of_teams) or "none is defined for teams")
            else:
                yield from _known("priority", priority, of_teams, path)


def _namespaces(draft: Draft) -> Iterator[Problem]:
    teams = draft.names_at(("teams",))
    of_teams: list[FieldPath] = [("teams", team, "namespaces") for team in teams]
    if not draft.is_read(("teams",)) or not all(map(draft.is_read, of_teams)):
        return
    namespaces = [name for path in of_teams for name in draft.names_at(path)]
    for index, exception in enumerate(draft.cluster.policies.exceptions):
        path = ("policies", "exceptions", index, "namespace")
        yield from _known("namespace", exception.namespace, namespaces, path)


def _known(kind: str, name: str, defined: Collection[str], path: FieldPath) -> Iterator[Problem]:
    if name not in defined:
        allowed = ", ".join(defined) or "none is defined"
        yield Problem(path, f'unknown {kind} "{name}"', allowed, nearest(name, defined))
