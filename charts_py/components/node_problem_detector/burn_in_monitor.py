"""The monitors that read the verdict of the burn-in, which another daemon writes.

Each has one condition: a monitor of two sends both with the answer of the first rule, of which one
is False that nobody has looked at yet.
"""

from importlib.resources import files

from charts_py.components.node_problem_detector.burnt_in import (
    BURN_IN_FOLDER,
    MOUNTED_BURN_IN_FOLDER,
)
from charts_py.components.node_problem_detector.conditions import (
    GPU_BURN_IN_FAILED,
    GPU_BURN_IN_NOT_PASSED,
)
from charts_py.components.node_problem_detector.custom_plugin import custom_plugin
from charts_py.components.node_problem_detector.monitor import FOLDER, Monitor, MonitorKind

_SCRIPT = "check_burn_in.sh"
_TIMEOUT = "5s"
_VOLUME = "burn-in"


def burn_in_monitors() -> tuple[Monitor, Monitor]:
    """Return the monitor of nodes that wait for their burn-in, and that of those that failed it."""
    folder = {"path": BURN_IN_FOLDER, "type": "DirectoryOrCreate"}
    return (
        Monitor(
            kind=MonitorKind.CUSTOM_PLUGIN,
            file="burn-in-not-passed.json",
            content=_not_passed(),
            scripts={_SCRIPT: (files(__package__) / _SCRIPT).read_text(encoding="utf-8")},
            volumes=({"name": _VOLUME, "hostPath": folder},),
            mounts=({"name": _VOLUME, "mountPath": MOUNTED_BURN_IN_FOLDER, "readOnly": True},),
        ),
        Monitor(kind=MonitorKind.CUSTOM_PLUGIN, file="burn-in-failed.json", content=_failed()),
    )


def _not_passed() -> str:
    # Of a condition that is False the detector says this, and nothing of the verdict.
    well = (
        "GpuBurnInPassed",
        "the GPUs have passed, or were in use and untested: see the verdict",
    )
    return _configuration(GPU_BURN_IN_NOT_PASSED, well, "GpuBurnInNotPassed", "passed")


def _failed() -> str:
    well = ("NoGpuBurnInFailure", "no burn-in of the node's GPUs has failed")
    return _configuration(GPU_BURN_IN_FAILED, well, "GpuBurnInFailed", "not-failed")


def _configuration(condition: str, well: tuple[str, str], reason: str, argument: str) -> str:
    """Return the configuration; `well` is reason and message of a condition that is False."""
    rule = {
        "type": "permanent",
        "condition": condition,
        "reason": reason,
        "path": f"{FOLDER}/{_SCRIPT}",
        "args": [argument],
    }
    stands = {"type": condition, "reason": well[0], "message": well[1]}
    return custom_plugin("burn-in-monitor", _TIMEOUT, stands, rule)
