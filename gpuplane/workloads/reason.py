"""Fields of a manifest that carry why they are there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from jsonpointer import JsonPointer

from charts_py.cluster_file.fault import FieldPath, dotted
from charts_py.objects.document import Document

Tree: TypeAlias = Any
"""A document, or a part of one, in which any value may be a `Because`."""


@dataclass(frozen=True, slots=True)
class Because:
    """A value with the reason for it."""

    value: Tree
    reason: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a field is what it is."""

    path: FieldPath
    text: str

    def __str__(self) -> str:
        return f"{dotted(self.path)}: {self.text}"


@dataclass(frozen=True, slots=True)
class Explained:
    """A document, and why its fields are there."""

    document: Document
    reasons: tuple[Reason, ...]
    """Reasons in the order of the document."""


def explained(tree: Tree) -> Explained:
    return Explained(plain(tree), tuple(_reasons(tree, ())))


def plain(tree: Tree) -> Any:
    if isinstance(tree, Because):
        return plain(tree.value)
    if isinstance(tree, Mapping):
        return {key: plain(value) for key, value in tree.items()}
    if isinstance(tree, Sequence) and not isinstance(tree, str):
        return [plain(value) for value in tree]
    return tree


def path_in(document: Document, pointer: str) -> FieldPath:
    """Return the path of the field that a JSON Pointer leads to, or of what should hold it."""
    node: Any = document
    path: list[str | int] = []
    for part in JsonPointer(pointer).parts:
        step = int(part) if isinstance(node, list) and part.isdecimal() else part
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            break
        path.append(step)
    return tuple(path)


def _reasons(tree: Tree, path: FieldPath) -> Iterator[Reason]:
    if isinstance(tree, Because):
        yield Reason(path, tree.reason)
        yield from _reasons(tree.value, path)
    elif isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from _reasons(value, (*path, key))
    elif isinstance(tree, Sequence) and not isinstance(tree, str):
        for index, value in enumerate(tree):
            yield from _reasons(value, (*path, index))
