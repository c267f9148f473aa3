"""What the reader of a dashboard chooses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable whose values are those of a label."""

    name: str
    series: str
    """The series that have the label, as `gpuplane_pool_info{purpose="training"}`; variables
    before it may stand in it."""
    label: str
    takes_several: bool = True
    """Whether several values, or all, can be chosen."""

    @property
    def query(self) -> str:
        """The query for its values, as Grafana's data source of Prometheus reads it."""
        return f"label_values({self.series}, {self.label})"
