"""One object that changes, in a cluster that has nothing else or what a test names."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from charts_py.objects.document import Document, key_of
from gpuplane.plan.effect import PlannedObject
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import PlacedObject

Fields: TypeAlias = Mapping[str, Any]
"""Values by the path of their field, as `spec.template.spec.taints`."""


def planned(
    kind: str, before: Fields | None, after: Fields | None, name: str = "example"
) -> PlannedObject:
    """Return what becomes of an object; `kind` is as `karpenter.sh/v1 NodePool`."""
    old, new = (
        {} if side is None else placed(document(kind, side, name)) for side in (before, after)
    )
    (found,) = planned_objects(old, new)
    return found


def document(kind: str, fields: Fields, name: str = "example") -> Document:
    api_version, _, word = kind.partition(" ")
    made: Document = {"apiVersion": api_version, "kind": word, "metadata": {"name": name}}
    for path, value in fields.items():
        *above, last = path.split(".")
        place = made
        for step in above:
            place = place.setdefault(step, {})
        place[last] = value
    return made


def placed(*documents: Document, component: str = "part") -> dict[PlacedObject, Document]:
    return {PlacedObject(component, key_of(each)): each for each in documents}


def only(objects: tuple[PlannedObject, ...], kind: str) -> PlannedObject:
    (found,) = (each for each in objects if each.placed.key.kind == kind)
    return found
