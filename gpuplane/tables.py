"""A table for people, however it is printed."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from policies.document import printable

Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns of words, then columns of numbers."""

    headers: Row
    rows: tuple[Row, ...]
    words: int
    """How many columns are words."""


@dataclass(frozen=True, slots=True)
class Section:
    """Tables, and what stands above and below them."""

    title: str
    """Its heading, in a document."""
    tables: Iterable[Table]
    notes: Iterable[str]
    """Below them: a paragraph, and then a list."""
    first: Iterable[str] = ()
    """What is to be read before the tables."""
    blocks: Iterable[str] = ()
    """YAML to copy, between tables and notes."""


_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]|~#"})
_SPECIAL_IN_CODE = re.compile(r"[\\`*|]|~(?!\s)|\](?=[(\[])|(?<!\w)_|_(?!\w)")
"""Tags do not keep Markdown between them from being read; but what a reference stands for is text
(https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references)."""


_URL = re.compile(r"(https://[^\s<>()|`*@\[\]\\]+)")
_MENTION = re.compile(r"(?<!\w)@(?=\w)")
"""Calls a person or a team, a backslash before it or not."""
_SHORTEST_FENCE = 3


def escaped(text: str) -> str:
    """Return text on one line that stands for itself, and calls nobody; URLs in it stay links."""
    parts = _URL.split(_on_one_line(text))
    return "".join(
        part if number % 2 else _MENTION.sub("@&#8203;", _plain(part).translate(_SPECIAL))
        for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """Return text as code on one line, in HTML, so that it can stand in a table, too."""
    return f"<code>{_SPECIAL_IN_CODE.sub(_reference, _plain(_on_one_line(text)))}</code>"


def fenced(text: str, language: str) -> str:
    """Return lines as a block of code, whose fence is longer than any in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _on_one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _reference(special: re.Match[str]) -> str:
    return f"&#{ord(special[0])};"


def to_markdown(section: Section) -> str:
    """Return a section; what is to be read first stands in bold, and blocks as YAML."""
    first = (line for note in section.first for line in (f"**{escaped(note)}**", ""))
    shown = (line for table in section.tables for line in (*table_lines(table), ""))
    blocks = (line for each in section.blocks for line in (fenced(each.rstrip(), "yaml"), ""))
    paragraph, *others = map(escaped, section.notes)
    below = (paragraph, "", *(f"- {note}" for note in others))
    lines = (f"### {escaped(section.title)}", "", *first, *shown, *blocks, *below)
    return "\n".join(lines).rstrip() + "\n"


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table."""
    numbers = len(table.headers) - table.words
    yield _row(table.headers)
    yield f"|{'---|' * table.words}{'---:|' * numbers}"
    yield from map(_row, table.rows)


def _row(cells: Row) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
