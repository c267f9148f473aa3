"""What a first sync would change in a cluster."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from charts_py.objects.document import Document, ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES
from gpuplane.adoption.found_object import FoundObject
from gpuplane.adoption.platform_fields import RESERVED_PREFIX
from gpuplane.adoption.values import mapping
from gpuplane.versions.comparison import (
    ChangedObject,
    ObjectDifference,
    VersionReader,
    diff_documents,
)
from gpuplane.versions.difference_format import object_lines
from gpuplane.versions.tree import Tree

_OF_THE_SERVER = (
    *("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"),
    *("selfLink", "annotations"),
)
"""Fields of metadata that the API server or a controller writes, or that a sync leaves there."""
_ITEM = re.compile(r"\[([0-9]+|(name|key)=.*)\]$")
"""Ends the path of an item of a list, which goes where it is not stated; a field stays."""


@dataclass(frozen=True, slots=True)
class FirstSync:
    """What a first sync would do to the objects that were read."""

    objects: ObjectDifference
    """None is removed: Argo CD prunes what it made."""
    unmanaged: tuple[ObjectKey, ...]
    """Objects of kinds that it writes, which stay as they are; sorted."""

    def lines(self, cluster: str) -> Iterator[str]:
        """Yield the lines that show it; each begins with what happens: `+`, `~`, `=`."""
        count = len(self.unmanaged)
        stay = f", {count} stay as they are" if count else ""
        yield f"{cluster}, what a first sync changes: {self.objects}{stay}"
        yield from object_lines(self.objects)
        yield from (f"= {key}" for key in self.unmanaged)


def first_sync(rendered: Tree, found: Iterable[FoundObject]) -> FirstSync:
    after = VersionReader().objects_of(rendered)
    held = {one.key: one.document for one in found}
    before = {
        placed: _stated(held[placed.key], document)
        for placed, document in after.items()
        if placed.key in held
    }
    kinds = {(placed.key.group, placed.key.kind) for placed in after}
    ours = {placed.key for placed in after}
    unmanaged = (
        key
        for key in held
        if (key.group, key.kind) in kinds and key not in ours and not _of_kubernetes(key)
    )
    return FirstSync(_applied(diff_documents(before, after)), tuple(sorted(unmanaged)))


def _stated(held: Document, wanted: Document) -> Document:
    """Return what a cluster holds without what no manifest states."""
    annotations = mapping(wanted, "metadata", "annotations")
    metadata = {
        key: value for key, value in mapping(held, "metadata").items() if key not in _OF_THE_SERVER
    }
    held_annotations = mapping(held, "metadata", "annotations").items()
    kept = {key: one for key, one in held_annotations if key in annotations}
    fields = {key: value for key, value in held.items() if key != "status"}
    return {**fields, "metadata": {**metadata, **({"annotations": kept} if kept else {})}}


def _applied(difference: ObjectDifference) -> ObjectDifference:
    """Leave out fields that a sync does not state, which stay as they are."""
    changed = (
        ChangedObject(one.placed, tuple(field for field in one.fields if _is_changed(field)))
        for one in difference.changed
    )
    return ObjectDifference(
        added=difference.added, changed=tuple(one for one in changed if one.fields)
    )


def _is_changed(field: FieldChange) -> bool:
    is_left_out = field.new is Absent.ABSENT and not _ITEM.search(field.path)
    # The API server may write the same number in another way.
    is_same = not isinstance(field.old, Mapping) and str(field.old) == str(field.new)
    return not is_left_out and not is_same


def _of_kubernetes(key: ObjectKey) -> bool:
    name = key.namespace or (key.name if key.kind == "Namespace" else "")
    is_own_class = key.kind == "PriorityClass" and key.name.startswith(RESERVED_PREFIX)
    return name in KUBERNETES_NAMESPACES or is_own_class
