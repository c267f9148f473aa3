"""An emitted Kubernetes object as JSON holds it, and what identifies it."""

from collections.abc import Iterable, Mapping
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
    group, metadata = document["apiVersion"].rpartition("/")[0], document["metadata"]
    return ObjectKey(
        group=group,
        kind=document["kind"],
        namespace=metadata.get("namespace", ""),
        name=metadata["name"],
    )


def keys_of(documents: Iterable[Mapping[str, Any]]) -> tuple[ObjectKey, ...]:
    return tuple(map(key_of, documents))


def is_object_name(text: str) -> bool:
    """Return whether a text can be a part of a path: of a file, and of a URL of the API server.

    The names of some kinds hold colons, those of RBAC, too:
    https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#path-segment-names
    """
    return text.isprintable() and text not in (".", "..") and not {"/", "%"} & {*text}


def kinds_of(keys: Iterable[ObjectKey]) -> frozenset[EmittedKind]:
    return frozenset(key.emitted_kind for key in keys)


def secret_fault(document: Document) -> str | None:
    """Return what is wrong with an object that is a Secret and holds data; else None.

    Values that are empty are none: a chart can have them, for its controller to fill in.
    """
    held = ((document.get(field) or {}).values() for field in ("data", "stringData"))
    is_secret = (document["apiVersion"], document["kind"]) == ("v1", "Secret")
    if not is_secret or not any(value for values in held for value in values):
        return None
    what = "holds data, and dist/ is in git; use an ExternalSecret or SealedSecret"
    return f"{key_of(document)} {what}"


def secret_faults(documents: Iterable[Document]) -> tuple[str, ...]:
    return tuple(fault for fault in map(secret_fault, documents) if fault is not None)
