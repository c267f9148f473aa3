"""Names that stand for something defined elsewhere in the file."""

from collections.abc import Collection, Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import FieldPath, Problem
from gpus.nearest import nearest


def check_references(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool, priority or namespace that nothing defines."""
    priorities = tuple(draft.cluster.priorities)
    for path, _, namespace in draft.namespaces():
        for pool in namespace.quota.gpus:
            yield from _known("pool", pool, draft.named_pools, (*path, "quota", "gpus", pool))
    for team_name, team in draft.cluster.teams.items():
        for index, priority in enumerate(team.priorities):
            path = ("teams", team_name, "priorities", index)
            yield from _known("priority", priority, priorities, path)
    namespaces = [name for _, name, _ in draft.namespaces()]
    for index, exception in enumerate(draft.cluster.policies.exceptions):
        path = ("policies", "exceptions", index, "namespace")
        yield from _known("namespace", exception.namespace, namespaces, path)


def _known(kind: str, name: str, defined: Collection[str], path: FieldPath) -> Iterator[Problem]:
    if name not in defined:
        allowed = ", ".join(defined) or "none is defined"
        yield Problem(path, f'unknown {kind} "{name}"', allowed, nearest(name, defined))
