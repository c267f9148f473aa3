"""What `gpuplane plan` is asked for."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from charts_py.objects.document import Document
from gpuplane.plan.outage.pool_nodes import RunningNodes


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What to plan."""

    clusters: Path
    """Folder of the cluster files."""
    dist: Path
    today: dt.date
    """Decides which exceptions to rules have expired."""
    names: tuple[str, ...] = ()
    """Of clusters; empty for all."""
    base: str | None = None
    """Git reference to compare with; absent, what is live with what is rendered here."""
    running: RunningNodes = field(default_factory=dict)
    exported: RunningNodes = field(default_factory=dict)
    """Nodes of an export, where nobody states another number in `running`."""
    workloads: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    """What runs, by cluster, where somebody said so."""

    @property
    def nodes(self) -> RunningNodes:
        """The nodes that run, as far as somebody said so."""
        return {**self.exported, **self.running}
