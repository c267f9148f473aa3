"""Tables for people: on a terminal, in a file, or as Markdown in a comment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

import typer

from gpuplane.terminal import harmless, is_terminal, paged, print_text
from policies.document import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

WIDTH_OF_FILES = 160
"""Width of a table that goes to a file or a pipe, which have no width of their own."""

_UNBOUNDED = 10_000
"""Columns of a terminal that cuts nothing."""

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]|~#"})
_SPECIAL_IN_CODE = re.compile(r"[\\`*|]|~(?!\s)|\](?=[(\[])|(?<!\w)_|_(?!\w)")
"""Tags do not keep Markdown between them from being read; but what a reference stands for is text
(https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references)."""

_URL = re.compile(r"(https://(?:[^\s<>()|`*@\[\]\\&]|&(?!#?\w+;))+)")
"""It ends where a reference to a character begins, such as `&commat;`, which may stand for an @."""
_MENTION = re.compile(r"(?<!\w)@(?=\w)")
"""It calls a person or a team, with or without a backslash before it."""

_SHORTEST_FENCE = 3

Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns of words, then columns of numbers."""

    headers: Row
    rows: tuple[Row, ...]
    words: int
    """How many of the columns are words."""


def without_repetition(table: Table) -> tuple[Table, tuple[str, ...]]:
    """Return a table without columns that say the same in several rows, and what these say.

    The first column stays, which names the rows; an empty cell says nothing.
    """
    columns = [[*filter(None, column)] for column in zip(*table.rows, strict=True)]
    same = {
        number: {*said}
        for number, said in enumerate(columns)
        if number and len({*said}) <= 1 and len(said) != 1
    }
    kept = [number for number in range(len(table.headers)) if number not in same]
    shown = Table(
        tuple(table.headers[number] for number in kept),
        tuple(tuple(row[number] for number in kept) for row in table.rows),
        words=sum(number < table.words for number in kept),
    )
    said = (f"{table.headers[number]}: {value}." for number, each in same.items() for value in each)
    return shown, tuple(said)


@dataclass(frozen=True, slots=True)
class Section:
    """Tables with notes above and below them."""

    title: str
    """Its heading, in a document."""
    tables: Iterable[Table]
    notes: Iterable[str]
    """Below them: a paragraph, and then a list."""
    first: Iterable[str] = ()
    """Notes to read before the tables."""
    blocks: Iterable[str] = ()
    """YAML to copy, between tables and notes."""


class DocumentOutput(StrEnum):
    """Forms in which a command prints tables."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def print_section(section: Section, output: DocumentOutput) -> None:
    if output is DocumentOutput.MARKDOWN:
        print_text(to_markdown(section))
        return
    with paged():
        for note in section.first:
            typer.echo(harmless(note))
        for table in section.tables:
            print_table(table)
        for line in (*section.blocks, *section.notes):
            typer.echo(harmless(line))


def print_table(table: Table) -> None:
    """Print a table as text, its numbers to the right, its cells `harmless` and never truncated.

    Where its words are too wide for the terminal, each cell is a line that begins with its header,
    and an empty line ends each row.
    """
    # Rich is slow to import, and most commands print no table.
    from rich.console import Console

    # Rich takes a pipe for a terminal where FORCE_COLOR is set.
    width = None if is_terminal() else WIDTH_OF_FILES
    console = Console(highlight=False, emoji=False, markup=False, width=width)
    shown = _rich_table(table)
    if _narrowest(shown, console) <= console.width:
        console.print(shown)
        return
    for row in table.rows:
        for header, cell in zip(table.headers, map(harmless, row), strict=True):
            if cell:
                console.print(f"{header}: {cell}", soft_wrap=True)
        console.print()


def _rich_table(table: Table) -> "RichTable":
    from rich.table import Table as RichTable

    shown = RichTable()
    for number, header in enumerate(table.headers):
        justify: Literal["left", "right"] = "left" if number < table.words else "right"
        shown.add_column(header, overflow="fold", justify=justify)
    for row in table.rows:
        shown.add_row(*map(harmless, row))
    return shown


def _narrowest(table: "RichTable", console: "Console") -> int:
    """Return the columns that a table needs so that no word is broken."""
    from rich.measure import Measurement

    unbounded = console.options.update(width=_UNBOUNDED)
    return Measurement.get(console, unbounded, table).minimum


def to_markdown(section: Section) -> str:
    """Return a section, whose first notes are bold and whose blocks are YAML."""
    first = (line for note in section.first for line in (f"**{escaped(note)}**", ""))
    shown = (line for table in section.tables for line in (*table_lines(table), ""))
    blocks = (line for each in section.blocks for line in (fenced(each.rstrip(), "yaml"), ""))
    paragraph, *others = (*map(escaped, section.notes), "")
    below = (paragraph, "", *(f"- {note}" for note in others if note))
    lines = (f"### {escaped(section.title)}", "", *first, *shown, *blocks, *below)
    return "\n".join(lines).rstrip() + "\n"


def table_lines(table: Table) -> Iterator[str]:
    numbers = len(table.headers) - table.words
    yield _row(table.headers)
    yield f"|{'---|' * table.words}{'---:|' * numbers}"
    yield from map(_row, table.rows)


def _row(cells: Row) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"


def escaped(text: str) -> str:
    """Return text on one line that stands for itself, and calls nobody; URLs in it stay links."""
    parts = _URL.split(_on_one_line(text))
    return "".join(
        part if number % 2 else _MENTION.sub("@&#8203;", _plain(part).translate(_SPECIAL))
        for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """Return text as code on one line, in HTML, so that it can stand in a table, too."""
    shown = _plain(_on_one_line(text))
    return f"<code>{_SPECIAL_IN_CODE.sub(lambda special: f'&#{ord(special[0])};', shown)}</code>"


def fenced(text: str, language: str) -> str:
    """Return lines as a block of code, whose fence is longer than any in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _on_one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
