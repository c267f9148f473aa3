"""Pools that the cloud does not change, though their file does: they stay until made again."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.cost_amount import cost_amount
from gpuplane.plan.effect import PlannedObject, Verdict
from gpuplane.plan.fields import kind_of
from gpuplane.plan.part import Part
from gpuplane.plan.pools import ONE_POOL_EACH
from gpuplane.plan.rollout import exactly
from gpuplane.plan.unmet_checks import unmet_checks, unmet_words
from gpuplane.reports.cost.cost_item import Figure, View
from gpuplane.reports.cost.cost_statement import compare, cost_statement


@dataclass(frozen=True, slots=True)
class RemadePool:
    """What recreating a pool that refuses its change would bring."""

    name: str
    gpus: int
    """The GPUs that there can be more, or, below 0, fewer."""
    currency: str
    kept: float | None
    """What the nodes that are kept cost more a month; None where a price is not known."""
    most: float | None
    """The same of all nodes there can be."""
    is_assumed: bool
    """Whether rules judge pods by the new machines already."""
    unmet: tuple[str, ...] = ()
    """What nodes have of what their detector expects already, as `16 of 32 nvidia.com/gpu`."""


def refused_pools(objects: Iterable[PlannedObject]) -> Iterator[str]:
    """Yield the pools of which the cloud refuses any field: they stay as they are."""
    for each in objects:
        is_refused = any(effect.verdict is Verdict.IMMUTABLE for effect in each.effects)
        if is_refused and kind_of(each.placed.key) in ONE_POOL_EACH:
            yield from each.pools


def keeping(asked: Platform, before: Platform | None, refused: Collection[str]) -> Platform:
    """Return the cluster as its file asks for it, but for pools that stay as they were."""
    if before is None or not refused:
        return asked
    kept = {pool.name: pool for pool in before.pools if pool.name in refused}
    return replace(asked, pools=tuple(kept.get(pool.name, pool) for pool in asked.pools))


def remade_pools(
    after: Platform, asked: Platform, refused: Collection[str]
) -> Iterator[RemadePool]:
    """Yield what each refused pool would become; `after` is the cluster that keeps them."""
    if not refused:
        return
    changes = compare(cost_statement((after,)), cost_statement((asked,))).changes
    more = {(each.name, each.figure): each.difference for each in changes if each.view is View.POOL}
    old, new = (
        {pool.name: pool for pool in policy_settings(each).pools} for each in (after, asked)
    )
    for name in sorted(refused):
        place = f"{asked.name}/{name}"
        most, was = (
            pool.spec.nodes.max * pool.hardware.gpus
            for pool in (asked.pool(name), after.pool(name))
        )
        yield RemadePool(
            name=name,
            gpus=most - was,
            currency=asked.cluster.cost.currency,
            kept=more.get((place, Figure.AT_MIN), 0),
            most=more.get((place, Figure.AT_MAX), 0),
            is_assumed=old[name] != new[name],
            unmet=unmet_checks(name, after, asked),
        )


def remade_words(pool: RemadePool) -> str:
    """Return what a pool costs and has more once it is made again."""
    if pool.kept is None or pool.most is None:
        cost = "what it costs then is not known"
    else:
        cost = cost_amount(pool.currency, {Figure.AT_MIN: pool.kept, Figure.AT_MAX: pool.most})
    gpus = f"{exactly(abs(pool.gpus)).words('GPUs')} {'more' if pool.gpus > 0 else 'fewer'}"
    return f"{cost}, {gpus if pool.gpus else 'as many GPUs'}"


def refused_pools_part(pools: Sequence[RemadePool], *, has_webhook: bool) -> Iterator[Part]:
    if pools:
        notes = _notes(pools, has_webhook=has_webhook)
        yield Part("Pools that stay as they are", notes=tuple(notes))


def _notes(pools: Iterable[RemadePool], *, has_webhook: bool) -> Iterator[str]:
    yield (
        "Cost and capacity count the machines that these pools have, which stay until somebody "
        "deletes a pool and makes it again."
    )
    for pool in pools:
        yield f"If {pool.name} is made again: {remade_words(pool)}."
        if pool.unmet:
            yield f"Until it is made again, {unmet_words(pool.name, pool.unmet)}."
    if assumed := [pool.name for pool in pools if pool.is_assumed]:
        who = "The webhook" if has_webhook else "The API server's policy"
        yield (
            f"{who} of this version already judges by the new machines of {', '.join(assumed)}: it "
            "refuses pods that only the old ones take, and what only the new ones take waits."
        )
