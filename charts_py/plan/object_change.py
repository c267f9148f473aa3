"""An object on both sides of a change, with what else the cluster has."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from charts_py.objects.document import Document, ObjectKey
from charts_py.objects.fields import changed_fields
from charts_py.plan.effect import Change
from charts_py.plan.field_path import ChangedField, leaves
from charts_py.release.diff.objects import PlacedDocuments, PlacedObject


@dataclass(frozen=True, slots=True)
class ClusterObjects:
    """All objects of a cluster, before and after."""

    before: PlacedDocuments
    after: PlacedDocuments

    def of_kind(self, kind: str) -> Iterator[Document]:
        """Yield the objects of a kind as they are afterwards; those that go as they were."""
        for placed in sorted({**self.before, **self.after}):
            if kind_of(placed.key) == kind:
                yield self.after[placed] if placed in self.after else self.before[placed]


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

    @property
    def names(self) -> tuple[str, str]:
        """What rows call it: its kind, and its kind with its name or, if it has one, its chart."""
        kind = kind_of(self.placed.key)
        chart = value_at(self.document, "spec", "source", "chart")
        name = chart if kind == "Application.argoproj.io" and chart else self.placed.key.name
        return kind, f"{kind}/{name}"

    def is_any(self, patterns: tuple[str, ...]) -> bool:
        """Tell whether a row that names these is about it."""
        return any(fnmatchcase(name, pattern) for name in self.names for pattern in patterns)

    @cached_property
    def fields(self) -> tuple[ChangedField, ...]:
        """What differs, taken apart; empty where it is only on one side."""
        if self.before is None or self.after is None:
            return ()
        found = changed_fields(self.before, self.after)
        return tuple(leaf for change in found for leaf in leaves(change))


def kind_of(key: ObjectKey) -> str:
    """Return the kind with its group, as `NodePool.karpenter.sh`; the core group has no name."""
    return f"{key.kind}.{key.group}" if key.group else key.kind


def value_at(document: Mapping[str, Any] | None, *path: str) -> Any:
    """Return the value of a field; None where it, or one above it, is missing."""
    value: Any = document
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value
