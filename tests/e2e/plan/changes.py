"""Objects that change, and what the plan says of each."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.objects.document import Document, key_of
from gpuplane.plan.effect import PlannedObject
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import PlacedObject
from tests.e2e.manifest import manifest

NAMESPACE = "planned"


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """An object, and fields of it that become others, by their path."""

    kind: str
    """As `karpenter.sh/v1 NodePool`."""
    fields: Mapping[str, Any]
    """Of the object before."""
    changed: Mapping[str, Any]
    namespaced: bool = False

    @property
    def before(self) -> Document:
        made = manifest(self.kind, "planned", NAMESPACE if self.namespaced else None)
        return _with(made, self.fields)

    @property
    def after(self) -> Document:
        """The object as it is wanted then."""
        return _with(self.before, self.changed)

    @property
    def planned(self) -> PlannedObject:
        return plan_of(self.before, self.after)


def plan_of(before: Document, after: Document | None) -> PlannedObject:
    placed = PlacedObject("part", key_of(before))
    (found,) = planned_objects({placed: before}, {} if after is None else {placed: after})
    return found


def stated(document: Document) -> Document:
    """Return an object of the API server as git has it."""
    named = {key: document["metadata"][key] for key in ("name", "labels")}
    fields = {key: document[key] for key in ("apiVersion", "kind", "spec")}
    return {**fields, "metadata": named}


def _with(document: Document, fields: Mapping[str, Any]) -> Document:
    """Return the object with other values; None takes a field away."""
    made = copy.deepcopy(document)
    for path, value in fields.items():
        *above, last = path.split(".")
        place = made
        for step in above:
            place = place.setdefault(step, {})
        if value is None:
            del place[last]
        else:
            place[last] = copy.deepcopy(value)
    return made
