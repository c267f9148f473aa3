"""Operations of a JSON Patch, and how they apply (https://www.rfc-editor.org/rfc/rfc6902)."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import Literal, NamedTuple, TypeAlias

from policies.document import Document, Json, unescaped

_MALFORMED = re.compile(r"~(?![01])")

_MAX_INDEX_DIGITS = 18
"""Python refuses to parse very long numbers, and no array has that many elements."""

MAX_COPIED_LEVELS = 64
"""No patch of a pod, and no field of it, lies deeper."""

_NESTED = (dict, list)

_MAX_CACHED_LENGTH = 256
"""Characters; longer paths are not cached, so that nobody can fill the memory with them."""

OperationName: TypeAlias = Literal["add", "replace", "remove"]


class Operation(NamedTuple):
    """One operation of a JSON Patch; a tuple, since a dataclass is four times as slow to create."""

    op: OperationName
    path: str
    value: Json = None
    """What is added or replaces the old value; unused by `remove`."""

    def to_json(self) -> Document:
        """Return the operation in the format of RFC 6902."""
        if self.op == "remove":
            return {"op": self.op, "path": self.path}
        return {"op": self.op, "path": self.path, "value": self.value}


Undo: TypeAlias = Callable[[], object]


class _Token(NamedTuple):
    """One step of a path."""

    name: str
    position: int | None
    """The index that it is in an array; None where it is not an index."""


_NO_PARENT = "its parent is neither an object nor an array"


class PatchError(ValueError):
    """Why an operation does not apply."""

    def __init__(self, operation: Operation, problem: str) -> None:
        super().__init__(f"{operation.op} {operation.path}: {problem}")


def apply(document: Document, operations: Iterable[Operation]) -> Sequence[Undo]:
    """Apply the operations to the document, in order; return what `restore` takes.

    Raises PatchError when one does not apply; the document is then as it was before. An operation
    on the whole document (the empty path) does not apply in place.
    """
    undo: list[Undo] = []
    try:
        for operation in operations:
            parent, token = _parent(document, operation)
            undo.append(_applied(parent, token, operation))
    except PatchError:
        restore(undo)
        raise
    return undo


def restore(undo: Sequence[Undo]) -> None:
    """Undo operations on a document that nothing else has changed since."""
    for step in reversed(undo):
        step()


def copied(value: Json, levels: int = MAX_COPIED_LEVELS) -> Json:
    """Return a copy that shares no object or array with the value, as deep as anything is changed.

    What lies deeper is shared: a hostile document is nested more deeply than Python can follow.
    """
    if levels == 0:
        return value
    if type(value) is dict:
        # Most members are scalars, and each call that is saved counts.
        below = levels - 1
        return {k: copied(v, below) if type(v) in _NESTED else v for k, v in value.items()}
    if type(value) is list:
        return [copied(element, levels - 1) for element in value]
    return value


def _applied(parent: Json, token: _Token, operation: Operation) -> Undo:
    if type(parent) is dict:
        return _changed_member(parent, token, operation)
    if type(parent) is list:
        return _changed_element(parent, token, operation)
    raise PatchError(operation, _NO_PARENT)


def _parent(document: Document, operation: Operation) -> tuple[Json, _Token]:
    path = operation.path
    above, last, problem = _route(path) if len(path) <= _MAX_CACHED_LENGTH else _find_route(path)
    if problem:
        raise PatchError(operation, problem)
    here: Json = document
    try:
        for name, position in above:
            here = here[name] if type(here) is dict else here[position]
    except (IndexError, KeyError, TypeError):
        raise PatchError(operation, _dead_end(document, above)) from None
    return here, last


def _dead_end(document: Document, above: tuple[_Token, ...]) -> str:
    here: Json = document
    for name, position in above:
        if type(here) is list:
            if position is None or position >= len(here):
                return _no_index(name, len(here) - 1)
            here = here[position]
        elif type(here) is dict and name in here:
            here = here[name]
        else:
            return f"there is no {name}"
    return _NO_PARENT


class _Route(NamedTuple):
    """Where a path leads."""

    above: tuple[_Token, ...]
    last: _Token
    problem: str = ""
    """Why it is not a valid path; empty where it is."""


def _find_route(path: str) -> _Route:
    first, *names = path.split("/")
    problem = ""
    if first or not names:
        problem = "a path begins with / and leads into the document"
    elif _MALFORMED.search(path):
        problem = "a ~ in a name is written ~0, and a / is written ~1"
    tokens = [_token(unescaped(name)) for name in names or [first]]
    return _Route(tuple(tokens[:-1]), tokens[-1], problem)


def _token(name: str) -> _Token:
    is_number = name.isascii() and name.isdecimal() and len(name) <= _MAX_INDEX_DIGITS
    return _Token(name, int(name) if is_number and (name[0] != "0" or name == "0") else None)


_route = lru_cache(maxsize=1024)(_find_route)
"""Patches name the same few paths again and again."""


def _changed_member(parent: Document, token: _Token, operation: Operation) -> Undo:
    name = token.name
    if name not in parent:
        if operation.op != "add":
            raise PatchError(operation, f"there is no {name}")
        parent[name] = copied(operation.value)
        return partial(parent.pop, name)
    if operation.op == "remove":
        before = dict(parent)
        del parent[name]
        return partial(_refill, parent, before)
    old, parent[name] = parent[name], copied(operation.value)
    return partial(parent.update, {name: old})


def _refill(parent: Document, before: Document) -> None:
    """Restore it member by member, so that their order comes back too."""
    parent.clear()
    parent.update(before)


def _changed_element(parent: list[Json], token: _Token, operation: Operation) -> Undo:
    is_added = operation.op == "add"
    last, index = len(parent) - (not is_added), token.position
    if is_added and token.name == "-":  # RFC 6901's end of an array
        index = last
    if index is None or index > last:
        raise PatchError(operation, _no_index(token.name, last))
    if is_added:
        parent.insert(index, copied(operation.value))
        return partial(parent.pop, index)
    if operation.op == "remove":
        return partial(parent.insert, index, parent.pop(index))
    old, parent[index] = parent[index], copied(operation.value)
    return partial(parent.__setitem__, index, old)


def _no_index(name: str, last: int) -> str:
    return f"{name} is not an index; allowed: 0 to {last}"


_ROOTS = frozenset(
    {
        "/metadata",
        "/metadata/annotations",
        "/metadata/labels",
        "/spec/nodeSelector",
        "/spec/tolerations",
        "/spec/volumes",
    }
)
"""Objects and arrays that are looked up in advance: a change inside them is seen anyway."""

_NOT_READ = (
    *sorted(f"{root}/" for root in _ROOTS),
    "/spec/affinity",
    "/spec/preemptionPolicy",
    "/spec/priority",
    "/spec/runtimeClassName",
)
"""Places from which nothing is read in advance."""

_IN_CONTAINER = re.compile(r"(/spec/\w+/\d+)/(env|volumeMounts|resources)(?:/|$)")


class Part(NamedTuple):
    """Which of the values that are read in advance an operation changes."""

    name: str
    pointer: str = ""
    """JSON Pointer to the container whose resources it changes."""


ALL = Part("all")
"""It may change everything."""

ROOT = Part("root")
"""It replaces an object or array that is looked up in advance."""

ENV = Part("env")
"""It changes which environment variables containers set."""

NOTHING = Part("nothing")
"""It changes only what is looked up each time."""


def _find_part(path: str) -> Part:
    if path in _ROOTS:
        return ROOT
    if path.startswith(_NOT_READ):
        return NOTHING
    matched = _IN_CONTAINER.match(path)
    if matched is None:
        return ALL
    container, member = matched.groups()
    if member == "resources":
        return Part("resources", container)
    return ENV if member == "env" else NOTHING


_cached_part = lru_cache(maxsize=1024)(_find_part)


def changed_part(path: str) -> Part:
    return _cached_part(path) if len(path) <= _MAX_CACHED_LENGTH else _find_part(path)
