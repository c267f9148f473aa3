"""How nodes with broken GPUs are set aside."""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.addons import GpuHealthAction
from charts_py.components.node_problem_detector.conditions import (
    GPU_DRIVER_FAULT,
    GPU_HARDWARE_FAULT,
)
from charts_py.components.node_readiness_controller.readiness_rule import (
    TAINT_PREFIX,
    EnforcementMode,
    readiness_rule,
)
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.provider_facts import HealthCondition
from gpus.platform_names import POOL
from gpus.taint import NO_EXECUTE, NO_SCHEDULE, Taint

UNHEALTHY_KEY = f"{TAINT_PREFIX}/gpu-unhealthy"
"""The key of the taint of nodes that are set aside."""
_EFFECTS: Mapping[GpuHealthAction, str] = {
    GpuHealthAction.QUARANTINE: NO_SCHEDULE,
    GpuHealthAction.EVICT: NO_EXECUTE,
}
_OWN_CONDITIONS = tuple(
    HealthCondition(condition, status_when_well="False")
    for condition in (GPU_HARDWARE_FAULT, GPU_DRIVER_FAULT)
)


def health_taints(platform: Platform) -> tuple[Taint, ...]:
    """Return the taint of nodes with broken GPUs; none where they are observed alone."""
    effect = _EFFECTS.get(platform.cluster.addons.gpu_health_action)
    return (Taint(UNHEALTHY_KEY, "true", effect),) if effect else ()


def action_of(taint: Mapping[str, str]) -> GpuHealthAction | None:
    """Return the action that gives nodes a taint, of the core API's form; None where none does."""
    effect = taint.get("effect") if taint.get("key") == UNHEALTHY_KEY else None
    return next((action for action, its in _EFFECTS.items() if its == effect), None)


def quarantine_rules(platform: Platform) -> Iterator[Document]:
    """Yield the rule that taints the nodes of every pool by their conditions, where there is one.

    Another action is another rule, since a rule's taint is immutable. GPUs that are lost are no
    reason: device plugins give them to no pod, and advertise none while they start again.
    """
    for taint in health_taints(platform):
        yield readiness_rule(
            f"gpu-health-{platform.cluster.addons.gpu_health_action}",
            {"matchExpressions": [{"key": POOL, "operator": "Exists"}]},
            tuple(
                _well(condition)
                for condition in (*_OWN_CONDITIONS, *platform.provider.gpu_conditions)
            ),
            taint,
            EnforcementMode.CONTINUOUS,
        )


def _well(condition: HealthCondition) -> dict[str, str]:
    # A node is free until something is known of it, which the detector needs some time for.
    status = condition.status_when_well
    return {"type": condition.type, "requiredStatus": status, "defaultStatus": status}
