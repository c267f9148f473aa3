"""What changes of rules of Node Feature Discovery do: they label machines that are there."""

from collections.abc import Iterable, Iterator
from typing import Any

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pools import pools_of
from gpuplane.plan.rollouts.managed_pools import relabelling
from gpuplane.plan.sources import source
from gpuplane.versions.difference import PlacedDocuments
from gpus.platform_names import POOL


def added_rule(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    renamed = _renamed(change, change.cluster.before, change.cluster.after)
    if renamed is not None and _settings(renamed) == _settings(change.document):
        yield Effect(
            Verdict.SAFE,
            "",
            f"It is {_pool(renamed)} by another name: the same machines, with the same labels and "
            "taints but for that of the pool. Running pods stay.",
            source("node_features"),
            is_certain=False,
        )
        return
    yield Effect(
        Verdict.DISRUPTIVE,
        "",
        "Nodes that match get its labels and taints at once: with the labels, the layout and the "
        "sharing of their GPUs, which running pods may hold.",
        source("node_features"),
        is_certain=False,
        rollouts=relabelling(change),
    )


def removed_rule(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    renamed = _renamed(change, change.cluster.after, change.cluster.before)
    reason = (
        "Nodes lose its labels and taints at once: running pods stay, but the pool is gone for "
        "new ones, and other pods may start on its GPUs."
        if renamed is None
        else f"Its machines belong to {_pool(renamed)} from now on. Running pods stay; new ones "
        f"that ask for {_pool(change.document)} start nowhere."
    )
    yield Effect(
        Verdict.DISRUPTIVE,
        "",
        reason,
        source("node_features"),
        is_certain=renamed is None,
        rollouts=relabelling(change),
    )


def _renamed(
    change: ObjectChange, there: PlacedDocuments, not_there: PlacedDocuments
) -> Document | None:
    """Return the rule for the same machines that only the other side of a change has."""
    return next(
        (
            document
            for placed, document in there.items()
            if placed.key.kind == change.placed.key.kind
            and placed not in not_there
            and [*_parts(document, _MATCHERS)] == [*_parts(change.document, _MATCHERS)]
        ),
        None,
    )


_MATCHERS = ("matchFeatures", "matchAny")


def _settings(document: Document) -> list[tuple[Any, ...]]:
    """Return labels and taints of a rule, but for the label of the pool."""
    return [
        ({name: value for name, value in (labels or {}).items() if name != POOL}, taints)
        for labels, taints in _parts(document, ("labels", "taints"))
    ]


def _parts(document: Document, fields: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    for rule in value_at(document, "spec", "rules") or ():
        yield tuple(rule.get(field) for field in fields)


def _pool(document: Document) -> str:
    return next((pool.name for pool in pools_of(document)), document["metadata"]["name"])
