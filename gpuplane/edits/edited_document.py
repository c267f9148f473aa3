"""One document of a file, and what its text is to mean."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.yaml_fault import UNREADABLE
from gpuplane.edits.narrowed import narrowed, same
from gpuplane.edits.operation_text import with_operation
from gpuplane.edits.uneditable import UneditableError
from policies.apply import apply, copied
from policies.document import steps_of
from policies.operation import Operation

Loader: TypeAlias = type[yaml.CSafeLoader]

UNREAD = (*UNREADABLE, ValueError)
"""What reading raises, and making numbers of what is read."""
CHANGES_MORE = "something else would change with it"


@dataclass(frozen=True, slots=True)
class EditedDocument:
    """The text of a document, and the values that it is to have."""

    text: str
    content: Any
    """Without parts that are shared, as JSON has none."""

    def with_operation(self, operation: Operation, loader: Loader) -> "EditedDocument":
        """Return it with an operation. Raises UneditableError, and PatchError if none applies."""
        after = copied(self.content)
        apply(after, [operation])
        text, content = self.text, copied(self.content)
        for one in _steps(content, operation):
            path = _path(content, one.path)
            text = _with_step(text, path, one, loader)
            apply(content, [one])
        return EditedDocument(text, after)

    def check(self, loader: Loader) -> None:
        """Raise UneditableError unless the text has these values, and they are all of it."""
        try:
            content = content_of(self.text, loader)
        except UNREAD:
            raise UneditableError(CHANGES_MORE) from None
        if not same(content, self.content):
            raise UneditableError(CHANGES_MORE)


def content_of(text: str, loader: Loader) -> Any:
    """Return the values of the only document of a text, None where it has none."""
    return copied(yaml.load(text, loader))  # noqa: S506 # a safe one


def _with_step(text: str, path: FieldPath, operation: Operation, loader: Loader) -> str:
    try:
        root = yaml.compose(text, loader)
        if root is None:
            raise UneditableError("its document is empty")
        return with_operation(text, root, path, operation)
    except UNREAD:
        # What was done before it, or a value that no text can hold.
        raise UneditableError(CHANGES_MORE) from None


def _steps(content: Any, operation: Operation) -> Iterable[Operation]:
    """Return the smallest operations that do the same."""
    path = _path(content, operation.path)
    holder = _value_at(content, path[:-1])
    is_member = isinstance(holder, dict) and path[-1] in holder
    if operation.op == "replace" or (operation.op == "add" and is_member):
        return list(narrowed(holder[path[-1]], operation.value, operation.path))
    return [operation]


def _path(content: Any, pointer: str) -> FieldPath:
    """Return where a JSON Pointer leads: an index for each item, also one that is to be."""
    path: list[str | int] = []
    for name in steps_of(pointer):
        is_item = isinstance(content, list)
        path.append((len(content) if name == "-" else int(name)) if is_item else name)
        content = _value_at(content, path[-1:])
    return tuple(path)


def _value_at(content: Any, path: Iterable[str | int]) -> Any:
    """Return the value at a path, None where there is none."""
    for step in path:
        try:
            content = content[step]
        except (IndexError, KeyError, TypeError):
            return None
    return content
