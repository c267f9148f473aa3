"""What a panel asks Prometheus for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from charts_py.grafana.unit import Unit


class Metric(Protocol):
    """A metric that something emits, or a series that some rule records."""

    @property
    def name(self) -> str:
        """As Prometheus names it."""

    @property
    def help(self) -> str:
        """What it is, and its unit."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query in PromQL, in which variables of the dashboard may stand, as `$pool`."""

    expression: str
    legend: str
    """What its series are called, as `{{node}}`; in a table, the heading of its values."""
    reads: tuple[Metric, ...] = ()
    """The metrics without which it yields nothing, but for those of Prometheus itself; what it
    shows stands first."""
    unit: Unit | None = None
    """Where it is another than that of the panel, as in a column of a table."""
