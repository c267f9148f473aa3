"""What a change of a field does not do, though the table says it does: something holds it back."""

from collections.abc import Iterator
from dataclasses import replace

from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.changes.pools import AKS_POOL
from gpuplane.plan.effect import Effect
from gpuplane.plan.outage.rollout import Rollout
from gpuplane.plan.sources import source
from gpuplane.plan.verdict import Verdict

_METADATA = "metadata."


def withhold(change: ObjectChange, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Return what a change does, once it is known what of it does not happen."""
    refusal = next((each for each in effects if each.verdict is Verdict.IMMUTABLE), None)
    if refusal is not None:
        effects = tuple(_refused_with(change, refusal, effects))
    return tuple(map(_within_limits, effects))


def _refused_with(
    change: ObjectChange, refusal: Effect, effects: tuple[Effect, ...]
) -> Iterator[Effect]:
    """Yield the effects of an update that is refused: no field of it is taken, and not just one.

    Labels and annotations are left as they are: Argo CD reads its own of them in git.
    """
    is_aks = change.is_any((AKS_POOL,))
    why = source("service_operator_put") if is_aks else refusal.source
    for each in effects:
        if each.verdict is Verdict.IMMUTABLE or each.field.startswith(_METADATA):
            yield each
            continue
        yield Effect(
            Verdict.SAFE,
            each.field,
            f"It stays as it was, too: the update is refused as a whole, for {refusal.field}.",
            why,
            is_certain=refusal.is_certain and not is_aks,
        )


def _within_limits(effect: Effect) -> Effect:
    """Return what it does where nodes are to be replaced, and no limit lets even one be."""
    if not effect.rollouts or not all(map(_is_blocked_drift, effect.rollouts)):
        return effect
    blocked = "For now, none is replaced: the budgets allow 0 nodes at once."
    return replace(effect, verdict=Verdict.SAFE, reason=f"{effect.reason} {blocked}")


def _is_blocked_drift(rollout: Rollout) -> bool:
    return rollout.mechanism.replaces_first and rollout.is_blocked
