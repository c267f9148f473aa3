"""An object on both sides of a change, with what else the cluster has."""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property

from charts_py.objects.document import Document
from charts_py.objects.fields import changed_fields
from gpuplane.plan.changes.cluster_objects import ClusterObjects
from gpuplane.plan.changes.document_values import kind_of, value_at
from gpuplane.plan.changes.field_path import ChangedField, leaves
from gpuplane.plan.effect import Change
from gpuplane.versions.difference import PlacedObject


@dataclass(frozen=True)
class ObjectChange:
    """An object that differs between both sides."""

    placed: PlacedObject
    before: Document | None
    after: Document | None
    cluster: ClusterObjects

    @property
    def change(self) -> Change:
        """What becomes of it."""
        if self.before is None:
            return Change.ADDED
        return Change.REMOVED if self.after is None else Change.CHANGED

    @property
    def sides(self) -> tuple[Document, ...]:
        """The object as it was and as it is, as far as there is one; the newer comes last."""
        return tuple(side for side in (self.before, self.after) if side is not None)

    @property
    def document(self) -> Document:
        """The object as it is, or was where it goes."""
        return self.sides[-1]

    @cached_property
    def names(self) -> tuple[str, str]:
        """What rows call it: its kind, and its kind with its name or, if it has one, its chart."""
        kind = kind_of(self.placed.key)
        chart = value_at(self.document, "spec", "source", "chart")
        name = chart if kind == "Application.argoproj.io" and chart else self.placed.key.name
        return kind, f"{kind}/{name}"

    def is_any(self, patterns: tuple[str, ...]) -> bool:
        """Return whether a row that names these is about it."""
        return any(fnmatchcase(name, pattern) for name in self.names for pattern in patterns)

    @cached_property
    def fields(self) -> tuple[ChangedField, ...]:
        """What differs, taken apart; empty where it is only on one side."""
        # What did not change is often one document, which both versions have.
        if self.before is None or self.after is None or self.before is self.after:
            return ()
        found = changed_fields(self.before, self.after)
        return tuple(leaf for change in found for leaf in leaves(change))
