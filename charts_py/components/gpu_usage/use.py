"""How busy GPUs are, and whose pods keep them so.

An exporter names one pod of those that share a GPU, so that its row is then nobody's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.metrics.joins import WITH_TEAM
from charts_py.metrics.recorded import (
    GPU_LAST_USED,
    GPU_SIZE,
    GPU_USED,
    GPUS_PER_INSTANCE,
    NAMESPACE_ALLOCATED,
    NAMESPACE_USED,
    POOL_CAPACITY,
    POOL_USED,
    TEAM_ALLOCATED,
    TEAM_USED,
)
from charts_py.platform.recording_rule import RecordingRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from charts_py.components.gpu_usage.rows import ExporterRows

_BUSY = 0.01
"""More than what the driver does for itself."""

_HELD = f'{GPU_USED.name}{{pod!=""}}'

# Who holds no GPU uses none; whose GPUs are not measured has no figure.
_BY_HOLDER = (
    RecordingRule(
        POOL_USED.name,
        f"sum by (pool) ({GPU_USED.name} * {GPU_SIZE.name}) or {POOL_CAPACITY.name} == 0",
    ),
    RecordingRule(
        NAMESPACE_USED.name,
        f'sum by (namespace, team) ({GPU_USED.name}{{namespace!=""}} * {GPU_SIZE.name})'
        f" or {NAMESPACE_ALLOCATED.name} == 0",
    ),
    # Not the sum of namespaces: one that holds nothing would hide that another's is not measured.
    RecordingRule(
        TEAM_USED.name,
        f'sum by (team) ({GPU_USED.name}{{team!=""}} * {GPU_SIZE.name})'
        f" or {TEAM_ALLOCATED.name} == 0",
    ),
)

LAST_USED = RecordingRule(
    GPU_LAST_USED.name,
    f"timestamp({_HELD} > {_BUSY}) or ({GPU_LAST_USED.name} and {_HELD}) or timestamp({_HELD})",
)
"""Now while the GPU is busy, what it was before while it is not, and at first the present."""


def use_rules(exporters: Iterable[ExporterRows]) -> Iterator[RecordingRule]:
    """Yield what is recorded of the use of GPUs that exporters measure, one exporter at least."""
    rows = tuple(exporters)
    yield RecordingRule(
        GPU_SIZE.name,
        f"({' or '.join(each.rows for each in rows)})"
        f" * on (pool, GPU_I_PROFILE) group_left () {GPUS_PER_INSTANCE.name} {WITH_TEAM}",
    )
    yield RecordingRule(GPU_USED.name, " or ".join(map(_used, rows)))
    yield from (*_BY_HOLDER, LAST_USED)


def _used(rows: ExporterRows) -> str:
    on_row = f"on ({rows.told_apart_by})"
    return f"{rows.active} * {on_row} group_right () ({GPU_SIZE.name} > bool 0)"
