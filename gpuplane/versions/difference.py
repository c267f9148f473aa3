"""Which objects differ between two versions of a cluster."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import yaml

from charts_py.objects.document import Document, ObjectKey, key_of
from charts_py.objects.fields import FieldChange, changed_fields
from charts_py.objects.manifest_yaml import from_yaml
from gpuplane.versions.record import RESTORE
from gpuplane.versions.tree import DistError, Tree, is_manifest


@dataclass(frozen=True, slots=True, order=True)
class PlacedObject:
    """An object in the folder of its component."""

    component: str
    key: ObjectKey

    def __str__(self) -> str:
        return f"{self.component}: {self.key}"


@dataclass(frozen=True, slots=True)
class ChangedObject:
    """An object that both versions have."""

    placed: PlacedObject
    fields: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class ObjectDifference:
    """The objects that differ, sorted by component."""

    added: tuple[PlacedObject, ...] = ()
    removed: tuple[PlacedObject, ...] = ()
    changed: tuple[ChangedObject, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def __str__(self) -> str:
        counted = [(len(self.added), "added"), (len(self.changed), "changed")]
        counted.append((len(self.removed), "removed"))
        return ", ".join(f"{count} {word}" for count, word in counted if count) or "no change"


PlacedDocuments: TypeAlias = Mapping[PlacedObject, Document]
"""Objects by where they are placed."""

FileName: TypeAlias = Callable[[str], str]
"""Names the file at a path of a version as messages do."""


def changed_documents(
    old: Tree, new: Tree, old_name: FileName = str, new_name: FileName = str
) -> tuple[PlacedDocuments, PlacedDocuments]:
    """Return the objects in the files that differ, as they were and as they are.

    Raises DistError for a file that holds no manifest.
    """
    return (
        objects_of({path: text for path, text in old.items() if new.get(path) != text}, old_name),
        objects_of({path: text for path, text in new.items() if old.get(path) != text}, new_name),
    )


def diff_documents(before: PlacedDocuments, after: PlacedDocuments) -> ObjectDifference:
    """Compare objects by where they are placed.

    An object that moves to another component is removed and added, which is also what Argo CD
    does.
    """
    both = [
        ChangedObject(placed, tuple(changed_fields(before[placed], after[placed])))
        for placed in sorted(before.keys() & after.keys())
    ]
    return ObjectDifference(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(changed for changed in both if changed.fields),
    )


def objects_of(tree: Tree, name: FileName = str) -> PlacedDocuments:
    """Return the objects in the files of a version; raise DistError for a file without one."""
    return VersionReader().objects_of(tree, name)


class VersionReader:
    """Reads versions of a cluster, of whose files most are alike: each content once.

    Versions have documents in common, which nobody changes.
    """

    def __init__(self) -> None:
        self._read: dict[bytes, list[tuple[ObjectKey, Document]]] = {}

    def objects_of(self, tree: Tree, name: FileName = str) -> PlacedDocuments:
        objects = {}
        for path, content in tree.items():
            component, slash, _ = path.partition("/")
            if slash and is_manifest(path):
                if content not in self._read:
                    self._read[content] = _documents(name(path), content)
                for key, document in self._read[content]:
                    objects[PlacedObject(component, key)] = document
        return objects


def _documents(name: str, content: bytes) -> list[tuple[ObjectKey, Document]]:
    try:
        return [(key_of(document), document) for document in from_yaml(content.decode())]
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise DistError(f"{name}: not a Kubernetes object: {_reason(error)}; {RESTORE}") from error


def _reason(error: Exception) -> str:
    match error:
        case KeyError():
            return f"{error.args[0]} is missing"
        case TypeError() | AttributeError():
            return "it, or its metadata, is no mapping"
        case _:
            return str(error).splitlines()[0]
