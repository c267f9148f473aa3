"""Why an operation of a JSON Patch does not apply to an object."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import jsonpatch
from jsonpointer import JsonPointer

from charts_py.cluster_file.extensions import PatchOperation
from charts_py.objects.document import Document
from gpus.nearest import nearest

_LONGEST = 60
"""Characters of a value that are shown."""


class PatchProblem(NamedTuple):
    """What is wrong with an operation, and what would not be."""

    what: str
    allowed: str | None = None
    nearest: Sequence[str] = ()


def patch_problem(operation: PatchOperation, document: Document, error: Exception) -> PatchProblem:
    """Return why jsonpatch raised an error; in its words where there are no better ones."""
    pointers = [each for each in (operation.from_, operation.path) if each is not None]
    for pointer in pointers:
        creates = pointer is operation.path and operation.op in ("add", "move", "copy")
        if (missing := _missing(pointer, document, creates=creates)) is not None:
            return missing
    if isinstance(error, jsonpatch.JsonPatchTestFailed):
        there = JsonPointer(operation.path).resolve(document)
        return PatchProblem(f"{operation.path} is {_shown(there)}", _shown(operation.value))
    return PatchProblem(str(error))


def _missing(pointer: str, document: Document, *, creates: bool) -> PatchProblem | None:
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
            return PatchProblem(f"nothing is at {path}", allowed, nearest(step, members))
        value = value[int(step)] if isinstance(value, list) else value[step]
    return None


def _members(value: Any) -> list[str]:
    if isinstance(value, dict):
        return list(value)
    return [str(index) for index in range(len(value))] if isinstance(value, list) else []


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
