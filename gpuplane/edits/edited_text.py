"""JSON Patches on the documents of a YAML or JSON file, as changes of its text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import yaml

from gpuplane.edits.documents import BYTE_ORDER_MARK, split_documents
from gpuplane.edits.edited_document import (
    CHANGES_MORE,
    UNREAD,
    EditedDocument,
    Loader,
    content_of,
)
from gpuplane.edits.narrowed import same
from gpuplane.edits.uneditable import UneditableError
from policies.apply import PatchError
from policies.operation import Operation


@dataclass(frozen=True, slots=True)
class DocumentEdit:
    """Operations on an object of a file, which are done together or not at all."""

    document: int
    """The index of its document among those of the file; empty ones count."""
    operations: tuple[Operation, ...]
    """In their order; each sees what those before it have done."""
    pointer: str = ""
    """JSON Pointer to the object in its document, such as an item of a List."""


class LeftAlone(NamedTuple):
    """An edit that is not done."""

    edit: DocumentEdit
    why: str
    """As the end of a sentence."""


class EditedText(NamedTuple):
    """The text of a file, and what has been done in it."""

    text: str
    left: tuple[LeftAlone, ...] = ()
    """In their order."""


def edit_text(text: str, edits: Sequence[DocumentEdit], loader: Loader) -> EditedText:
    """Return the text with the edits, in their order, each of which sees those before it.

    `loader` reads the file as its users do, and must have read it before: a document without an end
    is not noticed here. The changed text is read again, and an edit is left alone unless its
    document then has just the values that the edit makes, and every other one is as it was.
    """
    head = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    parts = split_documents(text.removeprefix(head))
    documents = [EditedDocument(part, content_of(part, loader)) for part in parts]
    left: list[LeftAlone] = []
    for edit in edits:
        try:
            documents[edit.document] = _with_edit(documents[edit.document], edit, loader)
        except (UneditableError, PatchError) as error:
            left.append(LeftAlone(edit, str(error)))
    after = head + "".join(document.text for document in documents)
    if after != text and not _reads_as(after, documents, loader):
        return EditedText(text, tuple(LeftAlone(edit, CHANGES_MORE) for edit in edits))
    return EditedText(after, tuple(left))


def _with_edit(document: EditedDocument, edit: DocumentEdit, loader: Loader) -> EditedDocument:
    """Return a document with an edit. Raises UneditableError and PatchError."""
    after = document
    for operation in edit.operations:
        path = f"{edit.pointer}{operation.path}"
        after = after.with_operation(Operation(operation.op, path, operation.value), loader)
    after.check(loader)
    return after


def _reads_as(text: str, documents: Sequence[EditedDocument], loader: Loader) -> bool:
    """Whether a text has these documents."""
    try:
        contents = list(yaml.load_all(text, loader))
    except UNREAD:
        return False
    return same(contents, [document.content for document in documents])
