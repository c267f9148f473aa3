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
    names = [name for each in gone for name in each.workloads]
    # A workload of two resources has pods that would count twice.
    if names and len(names) == len({*names}) and all(each.counts_pods for each in holdings):
        count = sum(each.count for each in holdings)
        who = f"{counted(count, 'pod')} of {listed(names)} never {_verb(count, 'start', 'starts')}"
    else:
        places = listed(names or (f"{cluster}/{each.namespace}" for each in holdings))
        who = f"pods of {places} that ask for {'it' if len(gone) == 1 else 'them'} never start"
    return f"no pool offers {resources} any more, and {who} again"


def _short(place: str, each: Holding, restart: Restart) -> Iterator[str]:
    if each.workloads:
        yield from _of_workloads(place, each, restart)
        return
    whole = each.words(restart.resource)
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
    whole, names = each.words(restart.resource), listed(each.workloads)

    def clause(count: int, plural: str, singular: str) -> str:
        if not each.counts_pods:
            asked = f"pods of {names} that ask for {count} of {whole}"
            return f"{asked} {plural} when they start again"
        starts = _verb(count, "they start", "it starts")
        return f"{count} of {whole} of {names} {_verb(count, plural, singular)} when {starts} again"

    if each.refused:
        quota = f"the quota of {place}"
        if restart.has_queues:
            yield clause(each.refused, f"wait for {quota}", f"waits for {quota}")
        else:
            yield clause(each.refused, f"are refused by {quota}", f"is refused by {quota}")
    if each.waiting:
        yield clause(each.waiting, "find no node", "finds no node")


def _verb(count: int, plural: str, singular: str) -> str:
    return singular if count == 1 else plural


def listed(names: Iterable[str]) -> str:
    """Join names, each once: the first `MAX_NAMED`, and how many more."""
    found = [*dict.fromkeys(names)]
    more = [f"{len(found) - MAX_NAMED} more"] if len(found) > MAX_NAMED else []
    return ", ".join([*found[:MAX_NAMED], *more])
