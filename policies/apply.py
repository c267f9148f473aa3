"""Applies JSON Patch operations to a document in place (https://www.rfc-editor.org/rfc/rfc6902)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from policies.document import unescaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from policies.document import Document, Json
    from policies.operation import Operation, OperationName

    Change: TypeAlias = Callable[[Json, str, Operation], "Undo"]
    Undo: TypeAlias = Callable[[], object]

_MALFORMED = re.compile(r"~(?![01])")
_LONGEST_INDEX = 18
"""Digits; Python refuses to read endless ones, and no array has so many elements."""


class PatchError(ValueError):
    """Why an operation does not apply."""

    def __init__(self, operation: Operation, problem: str) -> None:
        super().__init__(f"{operation.op} {operation.path}: {problem}")


def apply(document: Document, operations: Iterable[Operation]) -> None:
    """Apply the operations to the document, in order.

    Raises PatchError when one does not apply; the document is then as it was before. An operation
    on the whole document (the empty path) does not apply in place.
    """
    undo: list[Undo] = []
    try:
        for operation in operations:
            parent, token = _parent(document, operation)
            undo.append(_change_of(parent, operation)(parent, token, operation))
    except PatchError:
        for step in reversed(undo):
            step()
        raise


def copied(value: Json) -> Json:
    """Return a copy that shares no object or array with the value."""
    if type(value) is str:
        return value
    if type(value) is dict:
        return {name: copied(member) for name, member in value.items()}
    if type(value) is list:
        return [copied(element) for element in value]
    return value


def _parent(document: Document, operation: Operation) -> tuple[Json, str]:
    tokens = _tokens(operation.path)
    if not tokens:
        raise PatchError(operation, "a path begins with / and names a place in the document")
    if "~" in operation.path and _MALFORMED.search(operation.path):
        raise PatchError(operation, "a ~ in a path is spelled ~0, a / in a name ~1")
    here: Json = document
    for token in tokens[:-1]:
        if type(here) is dict and token in here:
            here = here[token]
        elif type(here) is list:
            here = here[_index(token, len(here) - 1, operation)]
        else:
            raise PatchError(operation, f"there is no {token}")
    return here, tokens[-1]


@lru_cache(maxsize=1024)
def _tokens(path: str) -> tuple[str, ...]:
    """Split a path; empty where it does not begin with a slash. The same few come all the time."""
    first, *tokens = path.split("/")
    return () if first else tuple(unescaped(token) for token in tokens)


def _index(token: str, last: int, operation: Operation) -> int:
    spelled = token.isascii() and token.isdecimal() and len(token) <= _LONGEST_INDEX
    if spelled and (token[0] != "0" or token == "0") and int(token) <= last:  # noqa: S105
        return int(token)
    raise PatchError(operation, f"{token} is no index; allowed: 0 to {last}")


def _change_of(parent: Json, operation: Operation) -> Change:
    change = _CHANGES.get((type(parent), operation.op))
    if change is None:
        raise PatchError(operation, "its parent is neither an object nor an array")
    return change


def _member(parent: Document, name: str, operation: Operation) -> Json:
    if name not in parent:
        raise PatchError(operation, f"there is no {name}")
    return parent[name]


def _add_member(parent: Document, name: str, operation: Operation) -> Undo:
    if name in parent:
        return _replace_member(parent, name, operation)
    parent[name] = copied(operation.value)
    return lambda: parent.pop(name)


def _replace_member(parent: Document, name: str, operation: Operation) -> Undo:
    old = _member(parent, name, operation)
    parent[name] = copied(operation.value)
    return lambda: parent.update({name: old})


def _remove_member(parent: Document, name: str, operation: Operation) -> Undo:
    _member(parent, name, operation)
    before = dict(parent)
    del parent[name]

    def restore() -> None:
        # Member by member, so that their order comes back too.
        parent.clear()
        parent.update(before)

    return restore


def _add_element(parent: list[Json], token: str, operation: Operation) -> Undo:
    index = len(parent) if token == "-" else _index(token, len(parent), operation)  # noqa: S105 # RFC 6901's end of an array
    parent.insert(index, copied(operation.value))
    return lambda: parent.pop(index)


def _replace_element(parent: list[Json], token: str, operation: Operation) -> Undo:
    index = _index(token, len(parent) - 1, operation)
    old, parent[index] = parent[index], copied(operation.value)
    return lambda: parent.__setitem__(index, old)


def _remove_element(parent: list[Json], token: str, operation: Operation) -> Undo:
    index = _index(token, len(parent) - 1, operation)
    old = parent.pop(index)
    return lambda: parent.insert(index, old)


_CHANGES: dict[tuple[type, OperationName], Change] = {
    (dict, "add"): _add_member,
    (dict, "replace"): _replace_member,
    (dict, "remove"): _remove_member,
    (list, "add"): _add_element,
    (list, "replace"): _replace_element,
    (list, "remove"): _remove_element,
}
