"""Comments of ours in YAML."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import yaml

_MARKED = re.compile(r"(?:(?<=\s)|^)#\s*gpuplane:\s*(?P<text>.*)$")
_NO_CONTENT = re.compile(r"\s*(?:#|---(?:\s|$)|\.\.\.|%|$)")
"""Begins a line without a field: empty, a comment, or between two documents."""
_BLOCK_STYLES = ("|", ">")


class YamlComment(NamedTuple):
    """A comment that begins with `gpuplane:`; lines and columns count from 1."""

    text: str
    """What follows that."""
    line: int
    column: int
    end_column: int
    """The first one behind it."""
    field_line: int
    """The line that it is about: its own, or the next with a field; 0 behind the last."""
    is_at_top: bool
    """Whether no field stands above it in the file."""


def marked_comments(content: bytes) -> tuple[YamlComment, ...]:
    """Return our comments in a file, and nothing that is part of a string; none of broken YAML."""
    if b"gpuplane:" not in content:
        return ()
    lines = content.decode(errors="replace").splitlines()
    found = [(n, match) for n, each in enumerate(lines) for match in _MARKED.finditer(each)]
    if not found:
        return ()
    try:
        texts = [*_texts(content)]
    except (yaml.YAMLError, UnicodeDecodeError):
        return ()
    fields = [n for n, line in enumerate(lines) if not _NO_CONTENT.match(line)]
    return tuple(
        _comment(fields, number, match)
        for number, match in found
        if not _is_in_text(texts, (number, match.start()))
    )


class _Text(NamedTuple):
    """A scalar; lines and columns count from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    is_block: bool

    def holds(self, place: tuple[int, int]) -> bool:
        """Whether a line and column are in it; behind the sign of a block stands no text of it."""
        is_behind_sign = self.is_block and place[0] == self.start[0]
        return self.start <= place < self.end and not is_behind_sign


def _texts(content: bytes) -> Iterator[_Text]:
    for token in yaml.scan(content, Loader=yaml.CSafeLoader):
        if isinstance(token, yaml.ScalarToken):
            start, end = token.start_mark, token.end_mark
            is_block = token.style in _BLOCK_STYLES
            yield _Text((start.line, start.column), (end.line, end.column), is_block)


def _is_in_text(texts: Sequence[_Text], place: tuple[int, int]) -> bool:
    """Return whether any text holds a place; texts are in order, and none is in another."""
    begun = bisect_right(texts, place, key=lambda text: text.start)
    return begun > 0 and texts[begun - 1].holds(place)


def _comment(fields: Sequence[int], number: int, match: re.Match[str]) -> YamlComment:
    """Return a comment; `fields` are the lines with any, in order."""
    above = bisect_left(fields, number)
    return YamlComment(
        text=match["text"].rstrip(),
        line=number + 1,
        column=match.start() + 1,
        end_column=match.end() + 1,
        field_line=fields[above] + 1 if above < len(fields) else 0,
        is_at_top=not fields or number < fields[0],
    )
