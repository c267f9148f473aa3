"""Nodes that take pods only once device plugins advertise what their pool promises.

A node is Ready before its device plugin has registered, and before its GPUs are partitioned
(https://github.com/NVIDIA/k8s-device-plugin/issues/1746). Here it starts with the taint
`readiness.k8s.io/gpu-not-ready`: node-problem-detector sets a condition by what the kubelet holds,
and the readiness controller takes the taint off when every GPU, MIG instance and shared allocation
of the pool is there. Which ones are missing stands in the condition `gpuplane.io/GpuNotReady`.

Only an autoscaler that knows such a taint does not start another node meanwhile: Karpenter, by
`startupTaints`. The cluster autoscaler of GKE and AKS knows another prefix, which the controller
refuses (https://github.com/NVIDIA/gpu-operator/issues/2573). Switching it on replaces the nodes
that Karpenter has, as any change of its NodePools does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.node_readiness.check import check_node_readiness
from charts_py.components.node_readiness.controller import CONTROLLER, controller_values
from charts_py.components.node_readiness.detector import DETECTOR, detector_values, release_name
from charts_py.components.node_readiness.readiness import (
    CONTROLLER_NAMESPACE,
    DETECTOR_NAMESPACE,
    STARTUP_TAINT,
)
from charts_py.platform.additions import OwnNamespace
from charts_py.platform.wave import Wave
from charts_py.spec.team import PodSecurity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _parts(platform: Platform) -> Iterator[Component]:
    for pool in platform.pools:
        yield Component(
            name=release_name(pool),
            wave=Wave.OPERATORS,
            namespace=DETECTOR_NAMESPACE,
            helm=DETECTOR.release(platform, detector_values(platform, pool)),
        )
    yield Component(
        name="node-readiness-controller",
        wave=Wave.OPERATORS,
        namespace=CONTROLLER_NAMESPACE,
        helm=CONTROLLER.release(platform, controller_values(platform)),
    )
    # Their kind comes with the controller, which must also outlive them: it takes off the taint of
    # a rule that is deleted.
    yield Component(
        name="node-readiness",
        wave=Wave.NODES,
        namespace=CONTROLLER_NAMESPACE,
        construct=_construct(platform),
    )


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.node_readiness.construct import NodeReadiness

    return lambda scope: NodeReadiness(scope, "node-readiness", platform)


NODE_READINESS = Definition(
    name="node-readiness",
    description=__doc__,
    appears="where the cluster asks for it, with Karpenter",
    is_wanted=lambda platform: platform.cluster.addons.node_readiness,
    fields=("addons.nodeReadiness", "pools.NAME.sharing", "addons.monitoring.serviceMonitors"),
    depends_on=("namespaces",),
    wave=Wave.OPERATORS,
    own_namespaces=(
        # It mounts folders of the host.
        OwnNamespace(DETECTOR_NAMESPACE, PodSecurity.PRIVILEGED),
        OwnNamespace(CONTROLLER_NAMESPACE, PodSecurity.RESTRICTED),
    ),
    charts=(DETECTOR, CONTROLLER),
    parts=_parts,
    checks=(check_node_readiness,),
    startup_taints=(STARTUP_TAINT,),
)
