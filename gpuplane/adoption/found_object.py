"""Objects as a cluster holds them, and where each was found."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.objects.document import Document, ObjectKey
from policies.document import value_at


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
        """Its name; empty where it has none."""
        return str(mapping(self.document, "metadata").get("name", ""))

    @property
    def namespace(self) -> str:
        """Its namespace; empty for a cluster-scoped object."""
        return str(mapping(self.document, "metadata").get("namespace") or "")

    @property
    def labels(self) -> Mapping[str, str]:
        return strings(self.document, "metadata", "labels")

    @property
    def spec(self) -> Mapping[str, Any]:
        return mapping(self.document, "spec")

    @property
    def key(self) -> ObjectKey:
        group, slash, _ = str(self.document["apiVersion"]).rpartition("/")
        return ObjectKey(group if slash else "", self.kind, self.namespace, self.name)

    def __str__(self) -> str:
        place = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {place}{self.name}"


def mapping(value: Any, *path: str) -> Mapping[str, Any]:
    found = value_at(value, path)
    return found if isinstance(found, Mapping) else {}


def strings(value: Any, *path: str) -> dict[str, str]:
    """Return the scalars of a mapping at a path as strings, such as labels or quantities."""
    found = mapping(value, *path).items()
    return {str(key): str(one) for key, one in found if isinstance(one, (str, int, float))}


def items(value: Any, *path: str) -> list[Mapping[str, Any]]:
    found = value_at(value, path)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def texts(value: Any, *path: str) -> tuple[str, ...]:
    found = value_at(value, path)
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def read_mapping(text: str) -> Mapping[str, Any]:
    """Return the mapping that YAML holds; an empty one for other YAML and other text."""
    try:
        content = yaml.load(text, Loader=ManifestLoader)  # noqa: S506 # a CSafeLoader
    except yaml.YAMLError:
        return {}
    return content if isinstance(content, Mapping) else {}


def whole_number(value: Any) -> int | None:
    """Return a number that is written as one or as a string; None for anything else.

    Kubernetes holds none of more digits.
    """
    is_one = isinstance(value, (int, str)) and re.fullmatch("[0-9]{1,18}", str(value))
    return int(value) if is_one else None


@dataclass(frozen=True, slots=True)
class Inventory:
    """What was read of one cluster."""

    objects: tuple[FoundObject, ...]
    source: str
    """Words for the place where it was read."""
    notes: tuple[str, ...] = ()
    """What there is to say of how it was read, a line each."""

    def of(self, kind: str, *groups: str) -> Iterator[FoundObject]:
        """Yield the objects of a kind, of any group where none is named."""
        for found in self.objects:
            if found.kind == kind and (not groups or found.key.group in groups):
                yield found


def listed(found: Iterable[object]) -> str:
    return ", ".join(sorted({str(one) for one in found}))
