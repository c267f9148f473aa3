"""The page: what every format prints."""

import datetime as dt
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Generic, TypeVar

from gpuplane.alike_clusters import names_of
from gpuplane.fleet_report.figure_words import gpus_words
from gpuplane.fleet_report.gpu_drawing import DrawnPart
from gpuplane.fleet_report.pool_use import Costs, Part
from gpuplane.plan.effect import Verdict
from gpuplane.tables import Row, Table
from gpuplane.versions.base import Base

_Value = TypeVar("_Value")
NO_COSTS = Costs()


@dataclass(frozen=True, slots=True)
class Change(Generic[_Value]):
    """A figure, and what it was."""

    now: _Value
    was: _Value | None
    """None where it is not known."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of the ladder of verdicts, and the clusters on it."""

    verdict: Verdict
    meaning: str
    merged: tuple[str, ...]
    later: tuple[str, ...]
    """Clusters on which only a promotion does it."""


@dataclass(frozen=True, slots=True)
class GpuFigure:
    name: str
    gpus: Change[Fraction]
    least: Fraction
    """Less than the number where it lies between two bounds."""
    of: Change[Fraction] | None
    note: str

    @property
    def words(self) -> str:
        most = gpus_words(self.gpus.now)
        return most if self.least == self.gpus.now else f"{gpus_words(self.least)} to {most}"


@dataclass(frozen=True, slots=True)
class CostFigure:
    """What nodes cost a month."""

    name: str
    costs: Change[Costs]
    note: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the change does, in a sentence, on a ladder and in four figures."""

    about: str
    """What is compared."""
    sentence: str
    detail: str
    rungs: tuple[Rung, ...]
    gpus: tuple[GpuFigure, ...]
    costs: tuple[CostFigure, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that somebody has to decide or to do."""

    kind: str
    """A word or two, such as `refused`."""
    verdict: Verdict
    """How bad it is."""
    title: str
    text: str
    place: str
    """`file:line`; empty where it is at no place."""
    command: str = ""
    field: str = ""
    source: str = ""
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A cluster's way from one version to another."""

    old: str
    new: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRow:
    cluster: str
    provider: str
    steps: tuple[Step, ...]
    """None where no version changes."""
    version: str
    verdict: Verdict | None
    """None where nothing changes."""
    missing: str = ""
    """What dist/ lacks of it, in words; empty where it lacks nothing."""
    command: str = ""
    """What mends that."""
    objects: int
    gpus_in_quotas: Change[Fraction] = Change(Fraction(), None)
    gpus_at_most: Change[Fraction] = Change(Fraction(), None)
    gpus_kept: Change[Fraction] = Change(Fraction(), None)
    kept: Change[Costs] = Change(NO_COSTS, None)
    at_most: Change[Costs] = Change(NO_COSTS, None)
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRow:
    """A pool at its largest, and who has its GPUs."""

    cluster: str
    pool: str
    model: str
    purchase: str
    nodes: str
    layout: str
    slices: int = 1
    drawn: tuple[DrawnPart, ...] = ()
    parts: tuple[Part, ...] = ()
    gpus_in_quotas: Fraction = Fraction()
    gpus_at_most: Fraction = Fraction()
    gpus_kept: Fraction = Fraction()
    at_most: Costs = NO_COSTS
    notes: tuple[str, ...]
    """What changes."""
    refusal: str = ""
    """Why it stays as it is; empty where nothing is refused."""
    is_new: bool = False

    @property
    def teams(self) -> tuple[str, ...]:
        return tuple(each.team for each in self.parts if each.team)


@dataclass(frozen=True, slots=True)
class TeamRow:
    team: str
    places: str
    """Its pools by cluster."""
    gpus_in_quotas: Change[Fraction]
    reserved: Costs
    budget: Costs
    budgeted: Costs
    """What is reserved on the clusters where it has a budget."""
    is_above: bool
    """Whether it reserves more than its budget on any cluster."""
    sentence: str
    detail: str

    @property
    def share(self) -> float | None:
        """The percentage of the budget that is reserved; None without one, or of currencies."""
        if len(self.budget.amounts) != 1:
            return None
        (currency, budget), reserved = self.budget.amounts[0], dict(self.budgeted.amounts)
        return 100 * reserved.get(currency, 0) / budget if budget else None


class Tone(StrEnum):
    """What a cell means; its text says it, too."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    tone: Tone = Tone.PLAIN


Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: columns of words, then columns of numbers."""

    caption: str
    headers: Row
    rows: tuple[Cells, ...]
    words: int
    """How many columns are words."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    name: str
    """Its anchor."""
    title: str
    finding: str
    """What it comes to, in a sentence."""
    summary: str
    """What it shows."""
    tables: tuple[ReportTable, ...] = ()
    notes: tuple[str, ...] = ()
    command: str | None = None
    """What shows the same on a terminal."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    as_of: dt.date
    tool_version: str
    base: Base | None
    answer: Answer
    decisions: tuple[Decision, ...]
    clusters: tuple[ClusterRow, ...]
    pools: tuple[PoolRow, ...]
    """In the order of their clusters."""
    teams: tuple[TeamRow, ...]
    sections: tuple[ReportSection, ...]


def report_section(
    name: str,
    finding: str,
    *tables: ReportTable,
    notes: Iterable[str] = (),
    command: str | None = None,
) -> ReportSection:
    """Return a section; `sections.toml` says what does not depend on the fleet."""
    texts = _texts()[name]
    return ReportSection(
        name=name,
        title=texts["title"],
        finding=finding,
        summary=texts["summary"],
        tables=tables,
        notes=(*notes, *([texts["note"]] if "note" in texts else ())),
        command=command or texts.get("command"),
    )


@cache
def _texts() -> dict[str, dict[str, str]]:
    return tomllib.loads((files(__package__) / "sections.toml").read_text(encoding="utf-8"))


def cells(*texts: str) -> Cells:
    return tuple(map(Cell, texts))


def report_table(
    caption: str, headers: Row, rows: Iterable[Cells], *, words: int | None = None
) -> ReportTable:
    """Return a table; by default, all of its columns are words."""
    return ReportTable(caption, headers, tuple(rows), len(headers) if words is None else words)


def joined_tables(caption: str, tables: Mapping[str, Table], first_header: str) -> ReportTable:
    """Return the tables of clusters as one, with a column for the cluster.

    Clusters whose tables are equal share its rows.
    """
    groups: dict[tuple[Row, ...], list[str]] = {}
    for cluster, table in tables.items():
        groups.setdefault(table.rows, []).append(cluster)
    rows = (
        cells(names_of(clusters), *row) for shared, clusters in groups.items() for row in shared
    )
    first = next(iter(tables.values()), Table((first_header,), (), 1))
    headers = ("Cluster", first_header, *first.headers[1:])
    return report_table(caption, headers, rows, words=first.words + 1)
