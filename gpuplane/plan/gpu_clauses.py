"""Writes what a change does to GPUs, in clauses."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import reduce

from gpuplane.plan.outage import Outage
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.restart_words import MAX_NAMED
from gpuplane.plan.rollout import NOTHING, Span, duration, exactly

CONSENT = {False: "", True: " when somebody confirms it"}


class GpuFate(Enum):
    """What becomes of GPUs."""

    GONE = auto()
    OUT = auto()
    MOVED = auto()
    STAYING = auto()
    UNKNOWN = auto()
    UNTOUCHED = auto()
    REMADE = auto()


@dataclass(frozen=True, slots=True)
class GpuClause:
    """What becomes of some GPUs, in words."""

    fate: GpuFate
    text: str

    def __str__(self) -> str:
        return self.text


def gpu_clauses(plans: Iterable[ClusterPlan]) -> Iterator[GpuClause]:
    """Yield what happens to GPUs, the worst first."""
    plans = tuple(plans)
    found = tuple(outage for each in plans for outage in each.outages)
    unsized = sorted({pool for each in plans for pool in each.unsized})
    yield from _clauses(found, unsized, _refused_pods(plans))


def upgrade_clauses(plans: Iterable[ClusterPlan]) -> Iterator[GpuClause]:
    """Yield what happens to GPUs once somebody upgrades a control plane."""
    upgraded: dict[str, list[Outage]] = {}
    for each in plans:
        if each.upgrade and each.upgrade.outages:
            upgraded.setdefault(each.upgrade.new, []).extend(each.upgrade.outages)
    for minor, found in upgraded.items():
        first, *others = _clauses(tuple(found), ())
        said = ", and ".join(map(str, (first, *others)))
        yield GpuClause(first.fate, f"once the control plane runs {minor}, {said}")


def _refused_pods(plans: Iterable[ClusterPlan]) -> Iterator[GpuClause]:
    """Yield the GPUs that stay where pods run, and that no new pod gets as their pool goes."""
    left = [
        pool
        for each in plans
        for pool in each.removed_pools
        if pool.successor is None and pool.name not in _taken(each)
    ]
    gpus = sum((each.nodes.nodes * exactly(each.nodes.gpus) for each in left), NOTHING)
    if gpus != NOTHING:
        given = with_verb(gpus, "are", "is")
        places = ", ".join(each.nodes.place for each in left)
        verb = "goes" if len(left) == 1 else "go"
        yield GpuClause(GpuFate.STAYING, f"{given} given to no new pod, as {places} {verb}")


def _taken(plan: ClusterPlan) -> set[str]:
    """Return the pools whose pods lose their GPUs, which other clauses say."""
    taking = (each for each in plan.outages if each.rollout.mechanism.takes_gpus_away)
    return {pool.pool for each in taking for pool in each.pools}


def _clauses(
    outages: tuple[Outage, ...], unsized: Sequence[str], further: Iterable[GpuClause] = ()
) -> Iterator[GpuClause]:
    found = [*_merge_clauses(outages), *further]
    yield from found
    if unsized:
        yield GpuClause(GpuFate.UNKNOWN, f"how many GPUs of {', '.join(unsized)} is not known")
    elif not found:
        yield GpuClause(GpuFate.UNTOUCHED, "no GPU is out")
    if remade := [each for each in outages if each.needs_somebody]:
        gpus, time = at_once(remade).words("GPUs"), _longest(remade)
        yield GpuClause(
            GpuFate.REMADE, f"making {_places(remade)} anew would take {gpus} out, for {time}"
        )


def _merge_clauses(outages: tuple[Outage, ...]) -> Iterator[GpuClause]:
    """Yield what happens without anybody who makes a pool anew."""
    yield from _gone_clauses(outages)
    every = [each for each in outages if each.is_out and is_counted(each)]
    for verbs, is_possible in ((("are", "is"), False), (("may be", "may be"), True)):
        if out := [each for each in every if each.is_possible is is_possible]:
            said = f"{_of_pools(out, at_once(out), *verbs)} out at once, for {_longest(out)}"
            yield GpuClause(GpuFate.OUT, said)
    yield from _replacement_clauses(
        [each for each in outages if each.moves_pods and not each.is_blocked]
    )
    if blocked := dict.fromkeys(each.places for each in outages if each.is_blocked):
        said = f"the nodes of {', '.join(blocked)} are not replaced, as none may be disrupted"
        yield GpuClause(GpuFate.STAYING, said)


def _gone_clauses(outages: Iterable[Outage]) -> Iterator[GpuClause]:
    outages = tuple(outages)
    for found in by_consent(each for each in outages if each.is_for_good):
        gone = _of_pools(found, reached(found), "go", "goes")
        yield GpuClause(GpuFate.GONE, f"{gone} for good{CONSENT[found[0].is_held]}")
    for found in by_consent(each for each in outages if each.successor is not None):
        gone = _of_pools(found, reached(found), "go", "goes")
        successors = dict.fromkeys(f"{each.pools[0].cluster}/{each.successor}" for each in found)
        yield GpuClause(
            GpuFate.GONE,
            f"{gone} at once{CONSENT[found[0].is_held]}, and {', '.join(successors)} may bring as "
            "many of the same machines once pods need them",
        )


def _replacement_clauses(replaced: Sequence[Outage]) -> Iterator[GpuClause]:
    """Yield who moves where new nodes come first, who is evicted for good, and which nodes stay."""
    moved = [each for each in replaced if not each.moves_none]
    evicted = [each for each in replaced if each.moves_none and not each.stays]
    homeless = [each for each in moved if each.unplaceable and not each.stays]
    if moved:
        gpus, time = _of_pools(moved, reached(moved)), _longest(moved)
        some = " that fit elsewhere" if any(each.unplaceable for each in moved) else ""
        yield GpuClause(
            GpuFate.MOVED, f"pods on {gpus}{some} move to new nodes, which come first, over {time}"
        )
    if evicted:
        gpus, time = _of_pools(evicted, reached(evicted)), _longest(evicted)
        yield GpuClause(
            GpuFate.MOVED, f"pods on {gpus} are evicted as their nodes are replaced, over {time}"
        )
    if homeless:
        gpus, places = reached(homeless).words("GPUs"), _places(homeless)
        said = f"pods on {gpus} of {places} that fit nowhere else are evicted"
        yield GpuClause(GpuFate.MOVED, said)
    if staying := [each for each in replaced if each.stays]:
        is_part = {each.places for each in staying} & {each.places for each in evicted + homeless}
        nodes = f"{'other ' if is_part else ''}nodes of {_places(staying)}"
        said = "stay as they are while pods run there that fit nowhere else"
        yield GpuClause(GpuFate.STAYING, f"{nodes} {said}")


def _places(outages: Iterable[Outage]) -> str:
    return ", ".join(dict.fromkeys(each.places for each in outages))


def by_consent(outages: Iterable[Outage]) -> Iterator[tuple[Outage, ...]]:
    """Yield those that the merge causes, and those that wait until somebody confirms them."""
    outages = tuple(outages)
    groups = (tuple(each for each in outages if each.is_held is is_held) for is_held in CONSENT)
    return filter(None, groups)


def is_counted(outage: Outage) -> bool:
    """Say whether the merge causes it, rather than somebody who makes a pool anew later."""
    return not outage.is_blocked and not outage.needs_somebody


def reached(outages: Sequence[Outage]) -> Span:
    """Return the GPUs of all nodes that are reached; never more than the pools have."""
    parts = {(each.places, each.rollout.made_by): each.gpus for each in reversed(outages)}
    return sum(parts.values(), NOTHING)


def at_once(outages: Sequence[Outage]) -> Span:
    # The first outage of a pool has the most GPUs, which are out only once.
    by_pool = {each.places: each.gpus_out for each in reversed(outages)}
    return sum(by_pool.values(), NOTHING)


def _longest(outages: Iterable[Outage]) -> str:
    return duration(reduce(Span.beside, (each.minutes for each in outages), NOTHING))


def _of_pools(outages: Iterable[Outage], gpus: Span, *verbs: str) -> str:
    """Return GPUs with their pools, or the number of these, and what becomes of them."""
    pools = {pool.place: pool.cluster for each in outages for pool in each.pools}
    *first, last = pools
    named = f"{', '.join(first)} and {last}" if first else last
    if len(pools) > MAX_NAMED:
        clusters = {*pools.values()}
        named = f"{len(pools)} pools of {_of_clusters(clusters)}"
    words = f"{gpus.words('GPUs')} of {named}"
    return f"{words} {verbs[gpus == exactly(1)]}" if verbs else words


def _of_clusters(clusters: Collection[str]) -> str:
    return next(iter(clusters)) if len(clusters) == 1 else f"{len(clusters)} clusters"


def with_verb(gpus: Span, verb: str, verb_of_one: str) -> str:
    return f"{gpus.words('GPUs')} {verb_of_one if gpus == exactly(1) else verb}"
