"""The page: what every format prints."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TypeAlias

from gpuplane.fleet_report.bar_chart import BarChart
from gpuplane.fleet_report.gpu_drawing import GpuDrawings
from gpuplane.fleet_report.report_table import ReportTable

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
