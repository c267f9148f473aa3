"""Judges changes of Applications, sets of Applications and sync options."""

import re
from collections.abc import Iterator
from enum import IntEnum

from charts_py.argocd.application import CASCADE
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.fields import ChangedField, shown
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pruning import options_of
from gpuplane.plan.sources import source
from policies.document import value_at

_REPLACING = ("Replace=true", "Force=true")
_OCCASIONS = {
    "Prune": "once no version has it any longer",
    "Delete": "once its Application is deleted",
}
"""The occasions on which Argo CD removes an object, by the option that may hold it."""


_DIST = re.compile(r"(^|/)dist(/|$)")


class _Hold(IntEnum):
    """How much an option holds the removal of an object."""

    NONE = 0
    CONFIRM = 1
    FALSE = 2


def is_cascading(change: ObjectChange) -> bool:
    """Say whether what an Application synced is deleted with it."""
    return CASCADE in (value_at(change.document, ("metadata", "finalizers")) or ())


def is_of_others(change: ObjectChange) -> bool:
    """Say whether an Application syncs what stands elsewhere, which no plan lists."""
    source = value_at(change.document, ("spec", "source")) or {}
    return "chart" in source or not _DIST.search(source.get("path", ""))


def keeps_what_leaves(change: ObjectChange, _: ChangedField) -> bool:
    return (
        value_at(change.after, ("spec", "syncPolicy", "applicationsSync"))
        in ("create-only", "create-update")
        or value_at(change.after, ("spec", "syncPolicy", "preserveResourcesOnDeletion")) is True
    )


def keeps_all(change: ObjectChange) -> bool:
    return value_at(change.document, ("spec", "syncPolicy", "preserveResourcesOnDeletion")) is True


def begins_to_replace(_: ObjectChange, field: ChangedField) -> bool:
    old = () if field.is_added else field.old
    new = () if field.is_removed else field.new
    return any(option in new and option not in old for option in _REPLACING)


def sync_options(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    (field,) = fields
    old, new = shown(field.old), shown(field.new)
    if begins_to_replace(change, field):
        yield Effect(
            Verdict.DANGEROUS,
            field.path,
            f"{new}: from now on, a change that would be applied to the object replaces it, or "
            "deletes and creates it.",
            source("argo_cd_options"),
        )
        return
    reasons = [reason for name in _OCCASIONS if (reason := _loss(change, name))]
    for reason in reasons or [
        f"It decides how Argo CD syncs and prunes the object, from now on: {old} becomes {new}."
    ]:
        yield Effect(Verdict.SAFE, field.path, reason, source("argo_cd_options"))


def _loss(change: ObjectChange, name: str) -> str | None:
    """Say what no longer holds the removal of the object; None where as much holds it as before."""
    before, after = (
        max(hold for hold in _Hold if not hold or f"{name}={hold.name.lower()}" in options)
        for options in map(options_of, change.sides)
    )
    if after >= before:
        return None
    held = f"{name}={before.name.lower()}"
    if after is _Hold.CONFIRM:
        return (
            f"{held} is gone: Argo CD kept the object, and from now on removes it "
            f"{_OCCASIONS[name]} and somebody confirms it."
        )
    so_far = "kept the object" if before is _Hold.FALSE else "waited until somebody confirmed it"
    return (
        f"{held} is gone: Argo CD {so_far}, and from now on removes it {_OCCASIONS[name]}, "
        "without asking anybody."
    )
