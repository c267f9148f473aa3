"""What follows where a GPU is broken: nothing, or its node is set aside.

Node-problem-detector sets the conditions `gpuplane.io/GpuHardwareFault` and
`gpuplane.io/GpuDriverFault`. With the action `quarantine` or `evict`, the readiness controller
gives every node that has one of them the taint `readiness.k8s.io/gpu-unhealthy`, and takes it off
when the node has booted again without the error. The provider's own conditions count as well. The
platform's daemons stay, so that the GPU can be looked at.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from charts_py.components.alert_tables import read_alerts
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.gpu_health.quarantine import (
    UNHEALTHY_KEY,
    health_taints,
    quarantine_rules,
)
from charts_py.components.node_problem_detector.conditions import (
    GPU_DRIVER_FAULT,
    GPU_HARDWARE_FAULT,
)
from charts_py.components.node_problem_detector.definition import DETECTOR_NAME
from charts_py.components.node_readiness_controller_namespace.definition import CONTROLLER_NAME
from charts_py.platform.contribution import Contribution
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform

_NAME = "gpu-health"


def _parts(platform: Platform) -> Iterator[Component]:
    if health_taints(platform):
        yield Component(
            name=_NAME,
            wave=Wave.NODES,
            namespace=CONTROLLER_NAME,
            objects=partial(quarantine_rules, platform),
        )


def _rule_group() -> RuleGroup:
    alerts = read_alerts(
        __package__,
        unhealthy_key=UNHEALTHY_KEY,
        hardware_fault=GPU_HARDWARE_FAULT,
        driver_fault=GPU_DRIVER_FAULT,
    )
    return RuleGroup(_NAME, DETECTOR_NAME, alerts, reads_other_namespaces=True)


GPU_HEALTH = Definition(
    name=_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.gpu_health is not None,
    fields=("addons.gpuHealth",),
    depends_on=("node-problem-detector", "node-readiness-controller"),
    wave=Wave.NODES,
    namespace=CONTROLLER_NAME,
    parts=_parts,
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
    contributes=lambda platform: Contribution(health_taints=health_taints(platform)),
)
