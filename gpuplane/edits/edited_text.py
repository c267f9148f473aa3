"""JSON Patches on the documents of a YAML or JSON file, as changes of its text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import yaml

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.yaml_fault import UNREADABLE
from charts_py.objects.fields import is_same
from gpuplane.edits.entry_edits import with_operation
from gpuplane.edits.text_edit import UneditableError
from policies.document import pointer, steps_of, value_at
from policies.operation import Operation, PatchError, apply, copied

Loader: TypeAlias = type[yaml.CSafeLoader]
UNREAD = (*UNREADABLE, ValueError)
"""Reading a text raises these, and so does making numbers of what was read."""
CHANGES_MORE = "something else would change with it"
BYTE_ORDER_MARK = "\ufeff"
"""Some programs begin a file with it."""


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """Operations on a document of a file, which are done together or not at all."""

    document: int
    """Index of the document in the file; empty ones count."""
    operations: tuple[Operation, ...]
    """Operations in their order; each sees what those before it have done."""


class LeftAlone(NamedTuple):
    """An edit that is not done."""

    edit: DocumentEdit
    why: str


class EditedText(NamedTuple):
    """The text of a file, and what has been done in it."""

    text: str
    left: tuple[LeftAlone, ...] = ()


@dataclass(frozen=True, slots=True)
class _Document:
    """The text of a document, and the values that it must have."""

    text: str
    content: Any
    """No two places share an object, as in JSON."""

    def with_operation(self, operation: Operation, loader: Loader) -> "_Document":
        """Raise UneditableError, and PatchError where the operation does not apply."""
        after = copied(self.content)
        apply(after, [operation])
        text, content = self.text, copied(self.content)
        for one in _steps(content, operation):
            path = _path(content, one.path)
            text = _with_step(text, path, one, loader)
            apply(content, [one])
        return _Document(text, after)

    def check(self, loader: Loader) -> None:
        """Raise UneditableError unless the text reads as exactly these values."""
        try:
            content = content_of(self.text, loader)
        except UNREAD:
            raise UneditableError(CHANGES_MORE) from None
        if not is_same(content, self.content):
            raise UneditableError(CHANGES_MORE)


def edit_text(text: str, edits: Sequence[DocumentEdit], loader: Loader) -> EditedText:
    """Do the edits in their order; each sees those before it.

    `loader` reads the file as its users do, and must have read it before: a document without an end
    is not noticed here. The changed text is read again, and an edit is left alone unless its
    document then has just the values that the edit makes, and every other one is as it was.
    """
    head = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    parts = split_documents(text.removeprefix(head))
    before = [_Document(part, content_of(part, loader)) for part in parts]
    # Nearly always one look at the whole text does; others find which edit is not as it was meant.
    for is_checked in (False, True):
        documents, left = [*before], list[LeftAlone]()
        for edit in edits:
            try:
                edited = _with_edit(documents[edit.document], edit, loader, is_checked=is_checked)
                documents[edit.document] = edited
            except (UneditableError, PatchError) as error:
                left.append(LeftAlone(edit, str(error)))
        after = head + "".join(document.text for document in documents)
        if len(left) == len(edits) or _reads_as(after, documents, loader):
            return EditedText(after, tuple(left))
    return EditedText(text, tuple(LeftAlone(edit, CHANGES_MORE) for edit in edits))


def split_documents(text: str) -> list[str]:
    """Return the text of each document, with all that stands between it and the next one.

    What stands before the first document belongs to it, so that the parts make up the text.
    """
    # PyYAML does not count the mark, so that every place would be one too low.
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(mark)
    events = yaml.parse(text, Loader=yaml.CSafeLoader)
    starts = [
        event.start_mark.index
        for event in events
        if isinstance(event, yaml.DocumentStartEvent) and event.start_mark
    ]
    places = [0, *starts[1:], len(text)]
    first, *others = (text[start:end] for start, end in pairwise(places))
    return [mark + first, *others]


def _with_edit(
    document: _Document, edit: DocumentEdit, loader: Loader, *, is_checked: bool
) -> _Document:
    """Raise UneditableError or PatchError where the edit cannot be done."""
    after = document
    for operation in edit.operations:
        after = after.with_operation(operation, loader)
    if is_checked:
        after.check(loader)
    return after


def _reads_as(text: str, documents: Sequence[_Document], loader: Loader) -> bool:
    try:
        contents = list(yaml.load_all(text, loader))
    except UNREAD:
        return False
    return is_same(contents, [document.content for document in documents])


def content_of(text: str, loader: Loader) -> Any:
    """Read the only document of a text; None where there is none."""
    return copied(yaml.load(text, loader))  # noqa: S506 # a safe one


def _with_step(text: str, path: FieldPath, operation: Operation, loader: Loader) -> str:
    try:
        root = yaml.compose(text, loader)
        if root is None:
            raise UneditableError("its document is empty")
        return with_operation(text, root, path, operation)
    except UNREAD:
        # An operation before it broke the text, or no text can hold the value.
        raise UneditableError(CHANGES_MORE) from None


def _steps(content: Any, operation: Operation) -> Iterable[Operation]:
    path = _path(content, operation.path)
    holder = value_at(content, path[:-1])
    is_member = isinstance(holder, dict) and path[-1] in holder
    if operation.op == "replace" or (operation.op == "add" and is_member):
        return list(narrowed(holder[path[-1]], operation.value, operation.path))
    return [operation]


def _path(content: Any, pointer: str) -> FieldPath:
    """Return where a JSON Pointer leads, with an index for each item, also for a new one."""
    path: list[str | int] = []
    for name in steps_of(pointer):
        is_item = isinstance(content, list)
        path.append((len(content) if name == "-" else int(name)) if is_item else name)
        content = value_at(content, path[-1:])
    return tuple(path)


def narrowed(old: Any, new: Any, path: str) -> Iterator[Operation]:
    """Yield the smallest operations that turn a value at a path into another."""
    if is_same(old, new):
        return
    if old and new and isinstance(old, dict) and isinstance(new, dict):
        yield from _members(old, new, path)
    elif old and new and isinstance(old, list) and isinstance(new, list):
        yield from _items(old, new, path)
    else:
        yield Operation("replace", path, new)


def _members(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[Operation]:
    for name, value in new.items():
        place = f"{path}{pointer(name)}"
        if name in old:
            yield from narrowed(old[name], value, place)
        else:
            yield Operation("add", place, value)
    gone = (name for name in old if name not in new)
    yield from (Operation("remove", f"{path}{pointer(name)}") for name in gone)


def _items(old: list[Any], new: list[Any], path: str) -> Iterator[Operation]:
    """Yield the changes between the items that both lists begin with and end with."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if not is_same(old[at], new[at])), shorter)
    rest = shorter - first
    alike = next((at for at in range(rest) if not is_same(old[-1 - at], new[-1 - at])), rest)
    common = shorter - alike
    for at in range(first, common):
        yield from narrowed(old[at], new[at], f"{path}/{at}")
    for at in range(common, len(new) - alike):
        yield Operation("add", f"{path}/{at}", new[at])
    for at in reversed(range(common, len(old) - alike)):
        yield Operation("remove", f"{path}/{at}")
