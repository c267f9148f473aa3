"""Whose pods errors (XID) are: those that held the GPU before an error was counted.

The exporter counts an error for five minutes, and names who holds the GPU meanwhile. A program that
meets an error ends, so that this is most often the next one.
"""

from charts_py.metrics.dcgm import XIDS
from charts_py.metrics.joins import POOLS_OF_SOLE_HOLDERS, WITH_TEAM
from charts_py.metrics.recorded import NODE_POOL

_ROW = "node, UUID, GPU_I_ID"
_ERROR = "node, UUID, xid"
_HOLDER = "exported_namespace, exported_pod"

_STEP = "30s"
"""How far apart two looks are. What is new in one was not scraped at the one before, so that no
error is missed and none is new twice, however often Prometheus scrapes."""
_WINDOW = "6m"
"""As long as an error is counted, and a scrape longer."""
_LATE = "1m"
"""After which an error whose pod was not found is reported without it."""

_SHARED = f"({NODE_POOL.name} unless on (pool) {POOLS_OF_SOLE_HOLDERS})"
"""Nodes on whose GPUs an error may be that of any of several pods."""


def errors_with_pods(selector: str) -> str:
    """Return the errors that are counted, with namespace, pod and team where they are known.

    They are not of GPUs that pods share, that DRA allocates, or that no pod held.
    """
    known = (
        f"{_renamed(_renamed(_of_pods(selector), 'namespace'), 'pod')} unless on (node) {_SHARED}"
    )
    return (
        f"(max by ({_ERROR}, namespace, pod, team) (({known}) {WITH_TEAM})"
        f" or on ({_ERROR}) max by ({_ERROR}) ({_counts(selector, _LATE)}))"
        f" and on ({_ERROR}) {_counts(selector)} > 0"
    )


def _of_pods(selector: str) -> str:
    """Return what was new within the window, with who held the GPU before, or did then.

    Errors that come as fast as others are forgotten make nothing new: they are of who holds it.
    """
    new = f"({_counts(selector)} > ({_counts(selector, _STEP)} or 0 * {_counts(selector)}))"
    # One of them in the moment in which an old and a new exporter report it.
    holder = f"topk by ({_ROW}) (1, {_holders(_STEP)} or on ({_ROW}) {_holders()})"
    found = _held(new, holder)
    going_on = _held(f"({_counts(selector)} and {_counts(selector, _WINDOW)})", holder)
    return (
        f"(max by ({_ERROR}, {_HOLDER}) (max_over_time(({found})[{_WINDOW}:{_STEP}]))"
        f" or on ({_ERROR}) max by ({_ERROR}, {_HOLDER}) ({going_on}))"
    )


def _held(rows: str, holder: str) -> str:
    return f"{rows} * on ({_ROW}) group_left ({_HOLDER}) {holder}"


def _counts(selector: str, before: str = "") -> str:
    return f"max by ({_ROW}, xid) ({XIDS.name}{{{selector}}}{_offset(before)})"


def _holders(before: str = "") -> str:
    rows = f'{XIDS.name}{{exported_pod!=""}}{_offset(before)}'
    return f"group by ({_ROW}, {_HOLDER}) ({rows})"


def _offset(before: str) -> str:
    return f" offset {before}" if before else ""


def _renamed(series: str, label: str) -> str:
    """Return series with a label of the pod under its own name; the exporter's has another."""
    return f'label_replace({series}, "{label}", "$1", "exported_{label}", "(.+)")'
