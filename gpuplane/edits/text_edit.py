"""Replacing parts of a text."""

from collections.abc import Iterable
from typing import NamedTuple


class UneditableError(Exception):
    """Why a person has to change a text, as the end of a sentence."""


class TextEdit(NamedTuple):
    """A text that replaces a part of another."""

    start: int
    end: int
    text: str


def edited(text: str, *edits: TextEdit) -> str:
    """Make all edits; their places are those in the text before any of them.

    Raises UneditableError for edits that overlap.
    """
    after = len(text)
    for edit in sorted(edits, reverse=True):
        if edit.end > after:
            raise UneditableError("its new place is within what goes")
        text, after = text[: edit.start] + edit.text + text[edit.end :], edit.start
    return text


def as_lines(text: str, place: int, lines: Iterable[str]) -> str:
    """Join lines with the text's own line ending, to be put where a line begins, or at the end."""
    newline = newline_of(text)
    before = newline if place and text[place - 1] != "\n" else ""
    return before + "".join(f"{line}{newline}" for line in lines)


def newline_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def with_gap(text: str, removal: TextEdit) -> TextEdit:
    """Extend a removal of whole lines to the empty lines above, where others follow, or none."""
    above, below = text[: removal.start], text[removal.end :]
    gap = len(above) - len(above.rstrip("\r\n"))
    is_between = not below or below.startswith(("\n", "\r\n"))
    if removal.text or not above.endswith(("\n\n", "\n\r\n")) or not is_between:
        return removal
    kept = removal.start - gap + len(above[-gap:].splitlines(keepends=True)[0])
    return TextEdit(kept, removal.end, "")
