"""Parts of a text that others take the place of."""

from collections.abc import Iterable
from typing import NamedTuple

from gpuplane.edits.uneditable import UneditableError


class TextEdit(NamedTuple):
    """What takes the place of a part of the text."""

    start: int
    end: int
    text: str


def edited(text: str, *edits: TextEdit) -> str:
    """Return the text with all edits, whose places are those before any of them.

    Raises UneditableError for edits that overlap.
    """
    after = len(text)
    for edit in sorted(edits, reverse=True):
        if edit.end > after:
            raise UneditableError("its new place is within what goes")
        text, after = text[: edit.start] + edit.text + text[edit.end :], edit.start
    return text


def as_lines(text: str, place: int, lines: Iterable[str]) -> str:
    """Return whole lines that end as those of a text do, to be put where one begins, or behind."""
    newline = newline_of(text)
    before = newline if place and text[place - 1] != "\n" else ""
    return before + "".join(f"{line}{newline}" for line in lines)


def newline_of(text: str) -> str:
    """Return what ends the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def with_gap(text: str, removal: TextEdit) -> TextEdit:
    """Return a removal of whole lines with the empty lines above, where others follow, or none."""
    above, below = text[: removal.start], text[removal.end :]
    gap = len(above) - len(above.rstrip("\r\n"))
    is_between = not below or below.startswith(("\n", "\r\n"))
    if removal.text or not above.endswith(("\n\n", "\n\r\n")) or not is_between:
        return removal
    kept = removal.start - gap + len(above[-gap:].splitlines(keepends=True)[0])
    return TextEdit(kept, removal.end, "")
