"""How a rollout replaces the pods of a workload.

It replaces as many replicas at once as `maxUnavailable` says, a percentage rounded down; where that
is none, it first makes a new one, which waits for room that the old ones keep
(https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment).
One of Argo that moves traffic keeps all old pods until as many new ones are ready, unless
`dynamicStableScale` is set (`DesiredReplicaCountsForCanary` in
https://github.com/argoproj/argo-rollouts, utils/replicaset/canary.go, docs/features/bluegreen.md).
"""

from typing import NamedTuple

from gpuplane.lint.declared_number import whole_number
from gpuplane.lint.rule import LintObject, by_kind
from policies.document import Json, members, pointer, shown, text, value_at


class Rollout(NamedTuple):
    """A rollout that makes so many new replicas before any old one may go, and why it may not."""

    pointer: str
    replicas: int
    new: int
    why: str
    instead: str
    """What the author can do: `set … to 1`."""


def rollout(one: LintObject) -> Rollout | None:
    """Return the rollout of a workload; None where old replicas may go first, or none is known."""
    spec = members(one.document.get("spec"))
    known, replicas = by_kind("rollouts").get(one.kind), spec.get("replicas", 1)
    strategy = members(spec.get("strategy"))
    if known is None or strategy.get("type") == "Recreate" or type(replicas) is not int:
        return None
    path = ("spec", *known["field"].split("."))
    place, rolling = pointer(*path[:2]), {**known, **members(value_at(one.document, path))}
    moves = [each for each in ("blueGreen", "trafficRouting") if each in {**strategy, **rolling}]
    if moves:
        new = 1 if rolling.get("dynamicStableScale") is True else replicas
        instead = "replace them by a canary without trafficRouting"
        return Rollout(place, replicas, new, f"it moves traffic by {moves[0]}", instead)
    bounds = rolling["maxUnavailable"], rolling["maxSurge"]
    unavailable, surge = (part_of(each, replicas) for each in bounds)
    # Where both are 0, one may be unavailable.
    if unavailable is None or not surge or unavailable >= 1:
        return None
    why = f"maxUnavailable is {shown(str(rolling['maxUnavailable']))}"
    return Rollout(place, replicas, 1, why, f"set {'.'.join(path)}.maxUnavailable to 1")


def part_of(stated: Json, count: int) -> float | None:
    """Return a number, or a percentage of the count; None for anything else."""
    if type(stated) is int:
        return stated
    percent = whole_number(text(stated).removesuffix("%"))
    return None if percent is None else percent * count / 100
