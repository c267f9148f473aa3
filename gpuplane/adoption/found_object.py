"""Objects as a cluster holds them, and where each was found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.objects.document import Document, ObjectKey
from gpuplane.adoption.values import mapping, strings


class AdoptionError(Exception):
    """Why no cluster file comes of what was read; the message says what to do."""


class ClusterReadError(OSError):
    """Why a cluster cannot be read: kubectl is missing, the cluster is out of reach or refuses."""


@dataclass(frozen=True, slots=True)
class FoundObject:
    """An object of a cluster, which may lack any field."""

    document: Document
    source: str
    """The file and line that it begins on, or the cluster that it was read from."""

    @property
    def kind(self) -> str:
        return str(self.document["kind"])

    @property
    def name(self) -> str:
        return str(mapping(self.document, "metadata").get("name", ""))

    @property
    def namespace(self) -> str:
        return str(mapping(self.document, "metadata").get("namespace") or "")

    @property
    def labels(self) -> Mapping[str, str]:
        return strings(self.document, "metadata", "labels")

    @property
    def spec(self) -> Mapping[str, Any]:
        return mapping(self.document, "spec")

    @property
    def key(self) -> ObjectKey:
        group = str(self.document["apiVersion"]).rpartition("/")[0]
        return ObjectKey(group, self.kind, self.namespace, self.name)

    def __str__(self) -> str:
        place = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {place}{self.name}"


def items_of(held: Mapping[str, Any], source: str) -> Iterator[FoundObject]:
    """Yield the objects of a List; a typed one, as of a request, states once what they are."""
    kind = str(held.get("kind")).removesuffix("List") or "Unknown"
    for item in held.get("items") or ():
        if isinstance(item, dict):
            stated = {"apiVersion": held.get("apiVersion"), "kind": kind, **item}
            yield FoundObject(stated, source)


@dataclass(frozen=True, slots=True)
class Inventory:
    """What was read of one cluster."""

    objects: tuple[FoundObject, ...]
    source: str
    notes: tuple[str, ...] = ()
    """What there is to say of how it was read, a line each."""

    def of(self, kind: str, *groups: str) -> Iterator[FoundObject]:
        """Yield the objects of a kind, of any group where none is named."""
        for found in self.objects:
            if found.kind == kind and (not groups or found.key.group in groups):
                yield found
