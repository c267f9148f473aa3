"""What nodes start with until they offer what their pool promises."""

from charts_py.components.node_readiness_controller.readiness_rule import TAINT_PREFIX
from gpus.taint import NO_SCHEDULE, Taint

STARTUP_TAINT = Taint(f"{TAINT_PREFIX}/gpu-not-ready", "true", NO_SCHEDULE)
