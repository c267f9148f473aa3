"""The page: what every format prints."""

import datetime as dt
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from gpuplane.fleet_report.bar_chart import BarChart
from gpuplane.fleet_report.gpu_drawing import GpuDrawings
from gpuplane.json_output import attributes
from gpuplane.tables import Row, Table

_OTHER = re.compile(r"[^A-Za-z0-9._+-]+")
"""What HTML allows in an `id`, but not every program in a fragment."""


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
    """The name in the anchors of its rows."""
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
    """The cells that identify it; its anchor is made of them."""
    clusters: tuple[str, ...]
    cells: tuple[Cell, ...]


Part: TypeAlias = ReportTable | BarChart | GpuDrawings


@dataclass(frozen=True, slots=True)
class LeadingNumber:
    """The one number that comes first."""

    part: float
    whole: float
    statement: str
    """What it is of, as in `of the fleet's GPUs are in quotas`."""
    formula: str
    explanation: str
    """What it does not say."""

    @property
    def percent(self) -> str:
        """The number, such as `89.3%`; `?` of nothing."""
        if not self.whole:
            return "?"
        return f"{100 * self.part / self.whole:.1f}".removesuffix(".0") + "%"


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the page."""

    name: str
    """Its anchor."""
    title: str
    summary: str
    """A sentence or two: what it shows."""
    parts: tuple[Part, ...] = ()
    first: tuple[str, ...] = ()
    """What is to be read before anything else of it."""
    notes: tuple[str, ...] = ()
    command: str | None = None
    """What shows the same on a terminal."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The page."""

    clusters: tuple[str, ...]
    as_of: dt.date
    tool_version: str
    lead: LeadingNumber
    sections: tuple[ReportSection, ...]


def report_section(
    name: str,
    *parts: Part,
    summary: str = "",
    first: Iterable[str] = (),
    notes: Iterable[str] = (),
    command: str | None = None,
) -> ReportSection:
    """Return a section; `sections.toml` says what does not depend on the fleet."""
    texts = _texts()[name]
    return ReportSection(
        name=name,
        title=texts["title"],
        summary=summary or texts["summary"],
        parts=parts,
        first=tuple(first),
        notes=tuple(notes) or ((texts["note"],) if "note" in texts else ()),
        command=command or texts.get("command"),
    )


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__package__) / "sections.toml").read_text(encoding="utf-8"))


def anchor(*parts: str) -> str:
    """Return the name of something, as in `pools.training.h100`."""
    return ".".join(_OTHER.sub("-", part).strip("-.") or "-" for part in parts)


def distinct(anchors: Iterable[str]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    taken = set[str]()
    for name in anchors:
        found = name
        while found in taken:
            seen[name] += 1
            found = f"{name}-{seen[name] + 1}"
        taken.add(found)
        yield found


def cells(*texts: str) -> tuple[Cell, ...]:
    return tuple(map(Cell, texts))


def report_table(
    name: str,
    caption: str,
    headers: Row,
    rows: Iterable[Named],
    *,
    words: int | None = None,
    folded: bool = False,
) -> ReportTable:
    """Return a table whose rows have an anchor each; by default, all of its columns are words."""
    rows = tuple(rows)
    anchors = distinct(anchor(name, *row.keys) for row in rows)
    linked = tuple(
        ReportRow(own, row.clusters, row.cells) for own, row in zip(anchors, rows, strict=True)
    )
    words = len(headers) if words is None else words
    return ReportTable(name, caption, headers, linked, words, folded)


def whole_table(name: str, caption: str, table: Table, *, folded: bool = False) -> ReportTable:
    """Return a table that is of all clusters already, its rows named by their first cell."""
    rows = (Named(row[:1], _clusters_in(row[0]), cells(*row)) for row in table.rows)
    return report_table(name, caption, table.headers, rows, words=table.words, folded=folded)


def joined_tables(
    name: str,
    caption: str,
    tables: Mapping[str, Table],
    *,
    first_header: str,
    keys: int = 1,
    folded: bool = False,
) -> ReportTable:
    """Return the tables of clusters as one, with a column for the cluster.

    Clusters whose tables are equal share its rows. The first `keys` cells identify a row.
    """
    groups: dict[tuple[Row, ...], list[str]] = {}
    for cluster, table in tables.items():
        groups.setdefault(table.rows, []).append(cluster)
    rows = (
        Named(("+".join(clusters), *row[:keys]), tuple(clusters), cells(", ".join(clusters), *row))
        for shared, clusters in groups.items()
        for row in shared
    )
    first = next(iter(tables.values()), Table((first_header,), (), 1))
    headers = ("Cluster", first_header, *first.headers[1:])
    return report_table(name, caption, headers, rows, words=first.words + 1, folded=folded)


def _clusters_in(place: str) -> tuple[str, ...]:
    """Return the cluster that the first cell of a row names, as `training/h100` does."""
    cluster, slash, _ = place.partition("/")
    return (cluster,) if slash else ()


def page_fields(page: ReportPage) -> dict[str, Any]:
    """Return what the page says for programs: every table and every note, without pictures."""
    return {
        "clusters": page.clusters,
        "asOf": page.as_of,
        "toolVersion": page.tool_version,
        "lead": asdict(page.lead),
        "sections": [_section_fields(section) for section in page.sections],
    }


def _section_fields(section: ReportSection) -> dict[str, Any]:
    return {
        **attributes(section, "name", "title", "summary", "first"),
        "tables": [_table_fields(part) for part in section.parts if isinstance(part, ReportTable)],
        **attributes(section, "notes", "command"),
    }


def _table_fields(table: ReportTable) -> dict[str, Any]:
    rows = [
        {"name": row.anchor, "clusters": row.clusters, "cells": [cell.text for cell in row.cells]}
        for row in table.rows
    ]
    return {"name": table.name, "caption": table.caption, "columns": table.headers, "rows": rows}
