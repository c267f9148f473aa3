"""Judges changes of labels and taints of nodes that stay.

Nodes get them at once: those of GKE's and AKS's pools, and by rules of Node Feature Discovery.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.cloud_pools import relabelling
from gpuplane.plan.fields import ChangedField, shared_path
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pools import pools_of
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import PlacedDocuments
from gpus.platform_names import POOL
from policies.document import few, value_at

_MATCHERS = ("matchFeatures", "matchAny")
# Node Feature Discovery finds a pattern anywhere in a name.
_ONE_NAME = re.compile(r"\^([a-z0-9-]+)\$")
_LEAVING = (
    "leave the pool and lose its labels and taints at once. Running pods stay; new ones of the "
    "pool no longer start there, and others may start on the GPUs."
)
_JOINING = (
    "join the pool and get its labels and taints at once: with the labels, the layout and the "
    "sharing of their GPUs, which running pods may hold."
)
_EVICTING = ("NoExecute", "NO_EXECUTE")


def taints(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    path = shared_path(tuple(field.path for field in fields))
    old, new = (set(_evicting_taints(side)) for side in change.sides)
    if new <= old:
        reason = "Running pods stay: only where pods start next is decided by the taint."
        yield Effect(Verdict.SAFE, path, reason, source("docs_taints"))
        return
    yield Effect(
        Verdict.DISRUPTIVE,
        path,
        "Pods that run there and do not tolerate the taint are evicted at once.",
        source("docs_taints"),
        rollouts=relabelling(change),
        told=f"pods of {_tainted(change)} that do not tolerate its new taint are evicted at once",
    )


def _tainted(change: ObjectChange) -> str:
    return few([f"{{clusters}}/{pool.name}" for pool in pools_of(change.kind, change.document)])


def _evicting_taints(document: Document) -> Iterator[str]:
    """Yield the taints that evict pods: GKE and rules write them as mappings, AKS as texts."""
    spec = document.get("spec") or {}
    listed = [value_at(spec, ("nodeConfig", "taint")), spec.get("nodeTaints")]
    listed += [rule.get("taints") for rule in spec.get("rules") or ()]
    for taint in (taint for taints in listed for taint in taints or ()):
        effect = taint.rpartition(":")[2] if isinstance(taint, str) else taint.get("effect")
        if effect in _EVICTING:
            yield str(taint)


def added_rule(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    renamed = _renamed(change, change.cluster.before, change.cluster.after)
    if renamed is not None and _settings(renamed) == _settings(change.document):
        yield Effect(
            Verdict.SAFE,
            "",
            f"It is {_pool(change.kind, renamed)} by another name: the same machines, with the "
            "same labels and taints but for that of the pool. Running pods stay.",
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


def removed_rule(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    renamed = _renamed(change, change.cluster.after, change.cluster.before)
    reason = (
        "Nodes lose its labels and taints at once: running pods stay, but the pool is gone for "
        "new ones, and other pods may start on its GPUs."
        if renamed is None
        else f"Its machines belong to {_pool(change.kind, renamed)} once it is gone. Running pods "
        f"stay; new ones that ask for {_pool(change.kind, change.document)} start nowhere."
    )
    yield Effect(
        Verdict.DISRUPTIVE,
        "",
        reason,
        source("node_features"),
        is_certain=renamed is None,
        rollouts=relabelling(change),
    )


def matched_machines(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    named = [field for field in fields if _is_of_names(field)]
    for field in named:
        yield from _names(change, field)
    if others := [field.path for field in fields if field not in named]:
        yield Effect(
            Verdict.DISRUPTIVE,
            shared_path(tuple(others)),
            "Labels and taints follow the match: nodes that no longer match lose them at once, and "
            "others get them.",
            source("node_features"),
            rollouts=relabelling(change),
        )


def _is_of_names(field: ChangedField) -> bool:
    is_listed = isinstance(field.old, list) and isinstance(field.new, list)
    return is_listed and field.segments[-2:] == ("nodename", "value")


def _names(change: ObjectChange, field: ChangedField) -> Iterator[Effect]:
    """Yield who leaves the pool, as a rollout, and who joins it."""
    left, joined = _Moved.of(field.old, field.new), _Moved.of(field.new, field.old)
    for moved, told in ((left, _LEAVING), (joined, _JOINING)):
        if moved.words:
            rollouts = relabelling(change) if moved is left else ()
            yield Effect(
                Verdict.DISRUPTIVE,
                field.path,
                f"Nodes {moved.words} {told}",
                source("node_features"),
                rollouts=tuple(replace(each, nodes=moved.count) for each in rollouts),
            )
    if not (left.words or joined.words):
        yield Effect(Verdict.SAFE, field.path, "The same names match.", source("node_features"))


@dataclass(frozen=True, slots=True)
class _Moved:
    """The nodes that are matched by name on one side alone."""

    words: str
    """Empty where there are none."""
    count: int | None
    """None where it is not known."""

    @classmethod
    def of(cls, here: Sequence[str], there: Sequence[str]) -> "_Moved":
        patterns = [each for each in here if each not in there]
        found = [_ONE_NAME.fullmatch(each) for each in patterns]
        if not all(found):
            return cls(f"whose names only {few(patterns)} matches, of unknown number,", None)
        every = [each[1] for each in found if each]
        names = [name for name in every if not any(_matches(name, one) for one in there)]
        return cls(f"named {few(names)}" if names else "", len(names))


def _matches(name: str, pattern: str) -> bool:
    """Say whether a pattern is found anywhere in a name; one that cannot be read is not."""
    try:
        return re.search(pattern, name) is not None
    except re.error:
        return False


def _renamed(
    change: ObjectChange, there: PlacedDocuments, not_there: PlacedDocuments
) -> Document | None:
    """Return the rule for the same machines that only one side of a change has."""
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


def _settings(document: Document) -> list[tuple[Any, ...]]:
    return [
        ({name: value for name, value in (labels or {}).items() if name != POOL}, taints)
        for labels, taints in _parts(document, ("labels", "taints"))
    ]


def _parts(document: Document, fields: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    for rule in value_at(document, ("spec", "rules")) or ():
        yield tuple(rule.get(field) for field in fields)


def _pool(kind: str, document: Document) -> str:
    pools = pools_of(kind, document)
    return next((pool.name for pool in pools), document["metadata"]["name"])
