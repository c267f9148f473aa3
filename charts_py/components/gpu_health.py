"""What follows where a GPU is broken: nothing, or its node is set aside.

Node-problem-detector sets the conditions `gpuplane.io/GpuHardwareFault` and
`gpuplane.io/GpuDriverFault`. With the action `quarantine` or `evict`, the readiness controller
gives every node that has one of them the taint `readiness.k8s.io/gpu-unhealthy`, and takes it off
when the node has booted again without the error. The provider's own conditions count as well. The
platform's daemons stay, so that the GPU can be looked at. A policy of the API server bounds how
many nodes of a pool go within a day.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from math import ceil

from charts_py.cluster_file.addons import GpuHealth, GpuHealthAction
from charts_py.components.alert_tables import alert_table
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.node_problem_detector.definition import DETECTOR_NAME
from charts_py.components.node_problem_detector.monitors import (
    GPU_DRIVER_FAULT,
    GPU_HARDWARE_FAULT,
    NV_SWITCH_FAULT,
)
from charts_py.components.node_readiness.controller import (
    CONTROLLER_NAME,
    RULE_TYPE,
    TAINT_PREFIX,
    EnforcementMode,
    readiness_rule,
)
from charts_py.components.node_readiness.rule_status import crowded_rules
from charts_py.components.object_table import read_objects
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import Contribution
from charts_py.platform.platform import Platform
from charts_py.platform.provider_facts import HealthCondition
from charts_py.platform.wave import Wave
from gpus.platform_names import LABEL_PREFIX, POOL
from gpus.taint import NO_EXECUTE, NO_SCHEDULE, Taint
from policies.cel.text import quote

_NAME = "gpu-health"
UNHEALTHY_KEY = f"{TAINT_PREFIX}/gpu-unhealthy"
"""The key of the taint of nodes that are set aside."""
_NOT_SET_ASIDE = "GpuplaneNodeNotSetAside"
_LABELS = {f"{LABEL_PREFIX}/rule": _NAME}
"""Labels of its rules, by which the policy finds them."""
_EFFECTS: Mapping[GpuHealthAction, str] = {
    GpuHealthAction.QUARANTINE: NO_SCHEDULE,
    GpuHealthAction.EVICT: NO_EXECUTE,
}
OWN_CONDITIONS = tuple(
    HealthCondition(condition, status_when_well="False")
    for condition in (GPU_HARDWARE_FAULT, GPU_DRIVER_FAULT)
)


def health_taints(platform: Platform) -> tuple[Taint, ...]:
    """Return the taint of nodes with broken GPUs; none where they are observed alone."""
    effect = _EFFECTS.get(platform.cluster.addons.gpu_health_action)
    return (Taint(UNHEALTHY_KEY, "true", effect),) if effect else ()


def quarantine_rules(platform: Platform) -> Iterator[Document]:
    """Yield the rules that taint the nodes of each pool by their conditions, where there are some.

    Another action is another rule, since a rule's taint is immutable. GPUs that are lost are no
    reason: device plugins give them to no pod, and advertise none while they start again.
    """
    conditions = (*OWN_CONDITIONS, *platform.provider.gpu_conditions)
    for taint in health_taints(platform):
        for pool in platform.pools:
            name = f"gpu-health-{platform.cluster.addons.gpu_health_action}-{pool.name}"
            yield readiness_rule(
                ObjectMeta(name, labels=_LABELS),
                pool,
                tuple(map(_well, conditions)),
                taint,
                EnforcementMode.CONTINUOUS,
            )


def most_a_day(platform: Platform) -> dict[str, int]:
    """Return how many nodes of each pool are set aside within a day, and repaired, at most."""
    health = platform.cluster.addons.gpu_health or GpuHealth()
    return {
        pool.name: ceil(pool.spec.nodes.max * health.max_percent / 100) for pool in platform.pools
    }


def set_aside_limit(platform: Platform) -> Iterator[Document]:
    """Yield the policy that refuses a taint where enough nodes of the pool had one within a day."""
    most = (f"{quote(name)}: {nodes}" for name, nodes in most_a_day(platform).items())
    version, kind = RULE_TYPE
    return read_objects(
        __package__,
        "gpu_health_limit",
        name=f"{_NAME}.{LABEL_PREFIX}",
        rule_version=version,
        rule_kind=kind,
        rule_labels=_LABELS,
        controller=CONTROLLER_NAME,
        taint_key=UNHEALTHY_KEY,
        pool_label=POOL,
        most=f"{{{', '.join(most)}}}",
    )


def _objects(platform: Platform) -> Iterator[Document]:
    yield from set_aside_limit(platform)
    yield from quarantine_rules(platform)


def _well(condition: HealthCondition) -> dict[str, str]:
    # A node is free until something is known of it, which the detector needs some time for.
    status = condition.status_when_well
    return {"type": condition.type, "requiredStatus": status, "defaultStatus": status}


def _parts(platform: Platform) -> Iterator[Component]:
    if health_taints(platform):
        yield Component(
            name=_NAME,
            wave=Wave.NODES,
            namespace=CONTROLLER_NAME,
            objects=partial(_objects, platform),
        )


GPU_HEALTH = Definition(
    name=_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.gpu_health is not None,
    fields=("addons.gpuHealth", "pools.NAME.nodes"),
    depends_on=("node-problem-detector", "node-readiness-controller"),
    wave=Wave.NODES,
    namespace=CONTROLLER_NAME,
    parts=_parts,
    warnings=lambda platform: crowded_rules(platform, quarantine_rules(platform)),
    rules=alert_table(
        _NAME,
        DETECTOR_NAME,
        __package__,
        "gpu_health",
        has=lambda platform, alert: alert.name != _NOT_SET_ASIDE or bool(health_taints(platform)),
        unhealthy_key=UNHEALTHY_KEY,
        hardware_fault=GPU_HARDWARE_FAULT,
        driver_fault=GPU_DRIVER_FAULT,
        switch_fault=NV_SWITCH_FAULT,
    ),
    contributes=lambda platform: Contribution(health_taints=health_taints(platform)),
)


def action_of(taint: Mapping[str, str]) -> GpuHealthAction | None:
    """Return the action that gives nodes a taint, of the core API's form; None where none does."""
    effect = taint.get("effect") if taint.get("key") == UNHEALTHY_KEY else None
    return next((action for action, its in _EFFECTS.items() if its == effect), None)
