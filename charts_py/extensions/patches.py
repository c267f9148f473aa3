"""JSON Patches of a cluster file, applied to what is rendered."""

import json
from collections.abc import Iterable
from typing import Any

import jsonpatch
from jsonpointer import JsonPointer, JsonPointerException

from charts_py.cluster_file.cluster import Patch, PatchOperation
from charts_py.cluster_file.fault import Fault, FieldPath, Problem, SpecError
from charts_py.objects.document import Document, ObjectKey, key_of, keys_of
from charts_py.platform.platform import Platform
from gpus.nearest import nearest

_LONGEST = 60
"""Characters of a value that are shown."""


PATCHES = ("extensions", "patches")
"""Where patches stand in a cluster file."""


_OF_NODES = frozenset(
    {
        *("NodePool", "ContainerNodePool", "ComputeClass", "ManagedClustersAgentPool"),
        *("NodeFeatureRule", "ClusterConfig"),
    }
)
"""Kinds that nodes get their taints from."""
_TAINTS = frozenset({"taint", "taints", "nodeTaints"})
"""Fields of these."""


class Patcher:
    """Applies a cluster's patches and remembers which of them matched something."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._patches = platform.cluster.extensions.patches
        self._matched: set[int] = set()
        self._seen: set[tuple[str, str]] = set()

    def apply(self, documents: Iterable[Document]) -> tuple[Document, ...]:
        """Return the documents, each with the patches that name it applied.

        Raises SpecError where one does not apply, or would make another object of one.
        """
        given = tuple(documents)
        return tuple(map(self._patched, given, keys_of(given)))

    def check_all_matched(self) -> None:
        """Raise SpecError for every patch that named no object."""
        missed = [
            self._missed(index, patch)
            for index, patch in enumerate(self._patches)
            if index not in self._matched
        ]
        if missed:
            raise SpecError(missed)

    def _patched(self, document: Document, key: ObjectKey) -> Document:
        self._seen.add((key.kind, key.name))
        for index, patch in enumerate(self._patches):
            if is_named_by(patch, key):
                self._matched.add(index)
                for number, operation in enumerate(patch.operations):
                    path = (*PATCHES, index, "operations", number)
                    document = self._operated(path, operation, document, key)
        return document

    def _operated(
        self, path: FieldPath, operation: PatchOperation, document: Document, key: ObjectKey
    ) -> Document:
        try:
            as_json = operation.model_dump(by_alias=True, exclude_unset=True)
            patched: Document = jsonpatch.apply_patch(document, [as_json])
        except (jsonpatch.JsonPatchException, JsonPointerException) as error:
            found = patch_problem(operation, document, error)
            what = f"does not apply to {key}: {found.what}"
            fault = self._platform.fault(path, what, found.allowed, found.nearest)
            raise SpecError([fault]) from error
        if not _is_named(patched, key):
            what = f"changes what identifies {key}"
            allowed = "another object by extensions.manifests or extensions.constructs"
            raise SpecError([self._platform.fault(path, what, allowed)])
        if key.kind in _OF_NODES and _taints(patched) != _taints(document):
            what = f"changes the taints of {key}, which admission, queues and agents would not know"
            allowed = "pools.NAME.taints, which they follow, or pools.NAME.taint: none"
            raise SpecError([self._platform.fault(path, what, allowed)])
        return patched

    def _missed(self, index: int, patch: Patch) -> Fault:
        kinds = {kind for kind, _ in self._seen}
        names = {name for kind, name in self._seen if kind == patch.kind}
        field, wrong, allowed = ("name", patch.name, names)
        if patch.kind not in kinds:
            field, wrong, allowed = ("kind", patch.kind, kinds)
        namespace = f"{patch.namespace}/" if patch.namespace else ""
        what = f"matches nothing: no {patch.kind} {namespace}{patch.name} is emitted"
        shown, close = ", ".join(sorted(allowed)), nearest(wrong, sorted(allowed))
        return self._platform.fault((*PATCHES, index, field), what, shown, close)


def _taints(value: Any) -> list[Any]:
    """Return what any field for taints holds, in order."""
    if isinstance(value, list):
        return [found for one in value for found in _taints(one)]
    if not isinstance(value, dict):
        return []
    return [
        found
        for key, one in value.items()
        for found in ([one] if key in _TAINTS and one else _taints(one))
    ]


def is_named_by(patch: Patch, key: ObjectKey) -> bool:
    named = (patch.kind, patch.name, patch.namespace or key.namespace)
    return named == (key.kind, key.name, key.namespace)


def _is_named(document: Any, key: ObjectKey) -> bool:
    try:
        return key_of(document) == key
    except (KeyError, TypeError, AttributeError):
        return False


def patch_problem(operation: PatchOperation, document: Document, error: Exception) -> Problem:
    """Return why jsonpatch raised an error; in its words where there are no better ones."""
    pointers = [each for each in (operation.from_, operation.path) if each is not None]
    for pointer in pointers:
        creates = pointer is operation.path and operation.op in ("add", "move", "copy")
        if (missing := _missing(pointer, document, creates=creates)) is not None:
            return missing
    if isinstance(error, jsonpatch.JsonPatchTestFailed):
        there = JsonPointer(operation.path).resolve(document)
        return Problem((), f"{operation.path} is {_shown(there)}", _shown(operation.value))
    return Problem((), str(error))


def _missing(pointer: str, document: Document, *, creates: bool) -> Problem | None:
    """Return the problem of the first step that leads nowhere; an operation may create the last."""
    value: Any = document
    steps = JsonPointer(pointer).parts
    for depth, step in enumerate(steps):
        members = _members(value)
        if step not in members:
            if creates and depth == len(steps) - 1 and isinstance(value, (dict, list)):
                return None
            path = JsonPointer.from_parts(steps[: depth + 1]).path
            allowed = ", ".join(members) or "nothing, it is empty or a single value"
            return Problem((), f"nothing is at {path}", allowed, nearest(step, members))
        value = value[int(step)] if isinstance(value, list) else value[step]
    return None


def _members(value: Any) -> list[str]:
    if isinstance(value, dict):
        return list(value)
    return [str(index) for index in range(len(value))] if isinstance(value, list) else []


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
