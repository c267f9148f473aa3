"""Says who does not start again after a change: for good, for its quota, or for want of nodes."""

from collections.abc import Iterable, Iterator, Sequence

from charts_py.cluster_file.fault import counted
from gpuplane.plan.restart import Holding, Restart

MAX_NAMED = 3


def restart_clauses(cluster: str, restarts: Iterable[Restart]) -> Iterator[str]:
    """Yield clauses, the worst first: who never starts again, and who waits or is refused."""
    found = [*restarts]
    if gone := [each for each in found if not each.is_offered]:
        yield _gone(cluster, gone)
    every = [
        clause
        for each in found
        if each.is_offered
        for holding in each.holdings
        for clause in _short(f"{cluster}/{holding.namespace}", holding, each)
    ]
    yield from every[:MAX_NAMED]
    if len(every) > MAX_NAMED:
        yield f"{len(every) - MAX_NAMED} more lose a part of what they may hold"


def _gone(cluster: str, gone: Sequence[Restart]) -> str:
    resources = listed(each.resource for each in gone)
    holdings = [holding for each in gone for holding in each.holdings]
    if names := [name for each in gone for name in each.workloads]:
        count = sum(each.count for each in holdings)
        verb = "starts" if count == 1 else "start"
        who = f"{counted(count, 'pod')} of {listed(names)} never {verb} again"
    else:
        places = listed(f"{cluster}/{each.namespace}" for each in holdings)
        them = "it" if len(gone) == 1 else "them"
        who = f"pods of {places} that ask for {them} never start again"
    return f"no pool offers {resources} any more, and {who}"


def _short(place: str, each: Holding, restart: Restart) -> Iterator[str]:
    if each.workloads:
        yield from _of_workloads(place, each, restart)
        return
    whole = f"{each.most} {restart.resource}"
    if each.refused == each.count:
        yield (
            f"{place} has no quota of {restart.resource} any more, and its pods that ask for it "
            "never start again"
        )
    elif each.refused:
        yield f"the quota of {place} lets {each.count - each.refused} of {whole} start again"
    if each.waiting:
        yield f"{each.waiting} of {whole} of {place} wait for nodes when they start again"


def _of_workloads(place: str, each: Holding, restart: Restart) -> Iterator[str]:
    whole = f"of {counted(each.count, 'pod')} of {listed(each.workloads)}"
    if each.refused:
        are, starts = (
            _verb(each.refused, "are", "is"),
            _verb(each.refused, "they start", "it starts"),
        )
        wait = _verb(each.refused, "wait", "waits")
        how = f"{wait} for" if restart.has_queues else f"{are} refused by"
        yield f"{each.refused} {whole} {how} the quota of {place} when {starts} again"
    if each.waiting:
        find = _verb(each.waiting, "find", "finds")
        starts = _verb(each.waiting, "they start", "it starts")
        yield f"{each.waiting} {whole} {find} no node when {starts} again"


def _verb(count: int, plural: str, singular: str) -> str:
    return singular if count == 1 else plural


def listed(names: Iterable[str]) -> str:
    """Join names, each once: the first `MAX_NAMED`, and how many more."""
    found = [*dict.fromkeys(names)]
    more = [f"{len(found) - MAX_NAMED} more"] if len(found) > MAX_NAMED else []
    return ", ".join([*found[:MAX_NAMED], *more])
