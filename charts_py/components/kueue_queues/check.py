"""Whether what teams say of their queues has a meaning on the cluster."""

from collections.abc import Iterator, Mapping

from charts_py.platform.draft import Draft
from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.queues import Borrowing
from charts_py.spec.team import Quota

_LIMITS = ("borrow", "lend")


def check_without_queues(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each setting of a team that no queue reads."""
    if not draft.is_whole(("queues",)):
        return
    borrowing = draft.cluster.queues.borrowing if draft.cluster.queues else Borrowing.NONE
    for name, team in draft.cluster.teams.items():
        if team.share != 1 and borrowing is not Borrowing.CLUSTER:
            yield _without_effect(("teams", name, "share"), Borrowing.CLUSTER)
    if borrowing is Borrowing.NONE:
        for path, _, namespace in draft.namespaces():
            for limit in _LIMITS:
                if getattr(namespace.quota, limit):
                    yield _without_effect((*path, "quota", limit), Borrowing.TEAM)


def _without_effect(path: FieldPath, least: Borrowing) -> Problem:
    kinds = list(Borrowing)
    values = " or ".join(kind.value for kind in kinds[kinds.index(least) :])
    return Problem(path, "nothing is borrowed here", f"only with queues.borrowing: {values}")


def check_limits(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each limit of what a namespace has no quota on, or more than it has."""
    for path, _, namespace in draft.namespaces():
        quota = namespace.quota
        for limit in _LIMITS:
            stated: Mapping[str, int] = getattr(quota, limit)
            for pool, count in stated.items():
                yield from _limit((*path, "quota", limit, pool), quota, pool, count)


def _limit(path: FieldPath, quota: Quota, pool: str, count: int) -> Iterator[Problem]:
    own = quota.gpus.get(pool, 0)
    if own == 0:
        pools = ", ".join(name for name, gpus in quota.gpus.items() if gpus)
        yield Problem(path, f"there is no quota on pool {pool}", f"pools of quota.gpus: {pools}")
    elif path[-2] == "lend" and count > own:
        yield Problem(path, f"{count} are more than there are", f"at most {own}, its quota")
