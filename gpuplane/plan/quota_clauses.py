"""Says who loses quota and who gains it, in GPUs or, where a team loses none, in allocations."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction

from charts_py.cluster_file.fault import counted
from gpuplane.alike_clusters import told_once
from gpuplane.plan.allocation_change import AllocationChange
from gpuplane.plan.gpu_clauses import CONSENT, with_verb
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.restart_words import MAX_NAMED
from gpuplane.plan.rollout import Span, exactly


@dataclass(frozen=True, slots=True)
class QuotaLoss:
    """What a team loses, or one namespace of a team that loses no GPU."""

    team: str
    namespace: str | None
    text: str
    resource: str | None = None
    """What a namespace loses; None for a team, of GPUs."""


def quota_clauses(plans: Iterable[ClusterPlan]) -> Iterator[str]:
    plans = tuple(plans)
    moved = {
        f"{each.cluster}/{one.team}": one.after - one.before
        for each in plans
        for one in each.allocations.teams
    }
    losses = {team: -gpus for team, gpus in moved.items() if gpus < 0}
    gains = {team: gpus for team, gpus in moved.items() if gpus > 0}
    held = frozenset(f"{each.cluster}/{team}" for each in plans for team in _held_teams(each))
    is_move = len(losses) == len(gains) == 1 and [*losses.values()] == [*gains.values()]
    if is_move and held.isdisjoint(losses):
        (loser, gpus), (winner, _) = *losses.items(), *gains.items()
        moves = with_verb(_gpus(gpus), "of quota move", "of quota moves")
        yield f"{moves} from {loser} to {winner}"
    else:
        yield from _teams(losses, "loses", "lose", held)
        yield from _teams(gains, "gains", "gain")
    yield from _namespaces([loss.text for each in plans for loss in _of_namespaces(each)])


def quota_losses(plan: ClusterPlan) -> Iterator[QuotaLoss]:
    held = frozenset(f"{plan.cluster}/{team}" for team in _held_teams(plan))
    for one in plan.allocations.teams:
        if one.after < one.before:
            lost = {f"{plan.cluster}/{one.team}": one.before - one.after}
            (text,) = _teams(lost, "loses", "lose", held)
            yield QuotaLoss(one.team, None, text)
    yield from _of_namespaces(plan)


def _of_namespaces(plan: ClusterPlan) -> Iterator[QuotaLoss]:
    """Yield what namespaces lose of a resource, though their team loses no GPU.

    So it is where fewer pods share a GPU, and where quota moves between namespaces of a team.
    """
    told = {each.resource for each in plan.restarts}
    losing = {each.team for each in plan.allocations.teams if each.after < each.before}
    for (team, namespace, resource), lost in _lost_allocations(plan.allocations).items():
        if lost > 0 and team not in losing and resource not in told:
            when = CONSENT[namespace in plan.held_namespaces]
            text = f"{plan.cluster}/{namespace} loses {lost} {resource} of quota{when}"
            yield QuotaLoss(team, namespace, text, resource)


def _lost_allocations(change: AllocationChange) -> Mapping[tuple[str, str, str], int]:
    lost = Counter[tuple[str, str, str]]()
    for each in change.quotas:
        before, after = (side.own if side else 0 for side in (each.before, each.after))
        lost[each.line.team, each.line.namespace, each.line.resource] += before - after
    return lost


def _held_teams(plan: ClusterPlan) -> Iterator[str]:
    """Yield the teams that lose quota only with namespaces whose removal waits.

    A ClusterQueue of theirs that goes at once lets nothing start any longer meanwhile.
    """
    queues = {
        each.placed.key.name
        for each in plan.removed
        if each.placed.key.kind == "ClusterQueue" and not each.is_held
    }
    losing: dict[str, set[str]] = {}
    for (team, namespace, _), lost in _lost_allocations(plan.allocations).items():
        if lost > 0:
            losing.setdefault(team, set()).add(namespace)
    yield from (team for team, names in losing.items() if names <= plan.held_namespaces - queues)


def _teams(
    moved: Mapping[str, Fraction], verb: str, plural: str, held: Set[str] = frozenset()
) -> Iterator[str]:
    """Yield a clause for each team; of many, one for all."""
    if len(moved) <= MAX_NAMED:
        yield from told_once(
            (
                team.partition("/")[0],
                f"{team} {verb} {_gpus(gpus).words('GPUs')} of quota{CONSENT[team in held]}",
            )
            for team, gpus in moved.items()
        )
        return
    clusters = counted(len({team.partition("/")[0] for team in moved}), "cluster")
    together = _gpus(sum(moved.values())).words("GPUs")
    when = CONSENT[moved.keys() <= held]
    yield f"{len(moved)} teams of {clusters} {plural} {together} of quota{when}"


def _namespaces(losses: list[str]) -> Iterator[str]:
    yield from losses[:MAX_NAMED]
    if left := len(losses[MAX_NAMED:]):
        yield f"{left} more quotas of namespaces lose allocations, and their teams no GPU"


def _gpus(gpus: Fraction | int) -> Span:
    return exactly(round(float(gpus), 1))
