"""Editing a document, which may be a List of objects, item by item."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from gpuplane.edits.edited_document import Loader
from gpuplane.edits.edited_text import DocumentEdit, EditedText, LeftAlone, edit_text
from gpuplane.lint.list_items import ListItem, item_of, list_items, with_items, within_item


def edit_document(text: str, edits: Sequence[DocumentEdit], loader: Loader) -> EditedText:
    """Return the text of one document with edits as `edit_text` does, each item of a List alone."""
    by_item: defaultdict[int, list[DocumentEdit]] = defaultdict(list)
    for edit in edits:
        if (index := _item_of(edit)) is None:
            return edit_text(text, edits, loader)
        by_item[index].append(edit)
    items = list_items(text, loader) if len(by_item) > 1 else ()
    if not items:
        return edit_text(text, edits, loader)
    texts, left = dict[int, str](), list[LeftAlone]()
    for index, of_item in by_item.items():
        edited = _edited_item(items[index], of_item, loader)
        texts[index] = edited.text
        left += edited.left
    after = with_items(text, items, texts, loader)
    return edit_text(text, edits, loader) if after is None else EditedText(after, tuple(left))


def _item_of(edit: DocumentEdit) -> int | None:
    """Return the index of the only item that an edit changes; None where there is no such."""
    found = {item_of(operation.path) for operation in edit.operations}
    return found.pop() if len(found) == 1 else None


def _edited_item(item: ListItem, edits: Sequence[DocumentEdit], loader: Loader) -> EditedText:
    within = [_within_item(edit) for edit in edits]
    edited = edit_text(item.text, within, loader)
    whole = {id(one): edit for one, edit in zip(within, edits, strict=True)}
    left = tuple(LeftAlone(whole[id(alone.edit)], alone.why) for alone in edited.left)
    return EditedText(edited.text, left)


def _within_item(edit: DocumentEdit) -> DocumentEdit:
    moved = (one._replace(path=within_item(one.path)) for one in edit.operations)
    return replace(edit, operations=tuple(moved))
