"""An emitted Kubernetes object as JSON holds it, and what identifies it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, order=True)
class EmittedKind:
    """A kind of object, and whether its objects live in a namespace; the core group is empty."""

    group: str
    kind: str
    namespaced: bool


@dataclass(frozen=True, slots=True, order=True)
class ObjectKey:
    """What identifies an object in a cluster; cluster-scoped ones have an empty namespace."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        place = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {place}{self.name}"

    @property
    def emitted_kind(self) -> EmittedKind:
        """The kind; every emitted object of a namespaced kind names its namespace."""
        return EmittedKind(self.group, self.kind, bool(self.namespace))


def key_of(document: Mapping[str, Any]) -> ObjectKey:
    """Return what identifies the object."""
    group, slash, _ = document["apiVersion"].rpartition("/")
    metadata = document["metadata"]
    return ObjectKey(
        group=group if slash else "",
        kind=document["kind"],
        namespace=metadata.get("namespace", ""),
        name=metadata["name"],
    )
