"""A table of the page, with rows that can be linked and filtered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from gpuplane.fleet_report.anchor import anchor, distinct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpuplane.tables import Row


class Tone(StrEnum):
    """What a cell means; its text says it, too."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row of a table."""

    anchor: str
    clusters: tuple[str, ...]
    """What it is of; empty where it is of no cluster in particular."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: columns of words, then columns of numbers."""

    name: str
    """In the anchors of its rows."""
    caption: str
    headers: Row
    rows: tuple[ReportRow, ...]
    words: int
    """How many columns are words."""
    folded: bool = False
    """Whether readers open it, since few need it."""


@dataclass(frozen=True, slots=True)
class Named:
    """A row before all rows of its table are known."""

    keys: Row
    """What identifies it, of which its anchor is made."""
    clusters: tuple[str, ...]
    cells: tuple[Cell, ...]


def cells(*texts: str) -> tuple[Cell, ...]:
    """Return cells that mean no more than they say."""
    return tuple(map(Cell, texts))


def linked_rows(table: str, rows: Iterable[Named]) -> tuple[ReportRow, ...]:
    """Return the rows of a table, each with an anchor of its own."""
    rows = tuple(rows)
    anchors = distinct(anchor(table, *row.keys) for row in rows)
    return tuple(
        ReportRow(name, row.clusters, row.cells) for name, row in zip(anchors, rows, strict=True)
    )
