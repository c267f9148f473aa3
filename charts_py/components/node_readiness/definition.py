"""Nodes that take pods only once device plugins advertise what their pool promises.

A node is Ready before its device plugin has registered, and before its GPUs are partitioned
(https://github.com/NVIDIA/k8s-device-plugin/issues/1746). Here it starts with the taint
`readiness.k8s.io/gpu-not-ready`. Node-problem-detector sets a condition from what the kubelet
holds, and the readiness controller takes the taint off when every GPU, MIG instance and shared
allocation of the pool is there. The condition `gpuplane.io/GpuNotReady` names what is missing.

An autoscaler that does not know the taint would start another node meanwhile; Karpenter knows it,
from `startupTaints`, and the cluster autoscaler that goes with eksctl by a flag. Those of GKE and
AKS know a prefix of their own alone, which the controller refuses
(https://github.com/kubernetes-sigs/node-readiness-controller/issues/279). Switching it on replaces
the nodes that Karpenter has, as any change of its NodePools does; until then they get the taint
too, unless nothing of theirs is missing.
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import Definition
from charts_py.components.node_problem_detector.monitors import GPU_NOT_READY
from charts_py.components.node_readiness.controller import (
    CONTROLLER_NAME,
    ON_EKS,
    STARTUP_TAINT,
    EnforcementMode,
    readiness_rule,
    takes_startup_taints,
    unknown_taint,
)
from charts_py.components.node_readiness.rule_status import crowded_rules
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import Contribution
from charts_py.platform.draft import Draft
from charts_py.platform.platform import PlatformPool
from charts_py.platform.wave import Wave


def check_node_readiness(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where no autoscaler knows the taint that nodes start with."""
    field = ("addons", "nodeReadiness")
    is_wanted = draft.cluster.addons.node_readiness and draft.is_read(field)
    if not (is_wanted and draft.has_provider_settings):
        return
    if not takes_startup_taints(draft):
        yield unknown_taint(draft, field, f"only {ON_EKS}")


def node_readiness_rule(pool: PlatformPool) -> Document:
    return readiness_rule(
        ObjectMeta(pool.name),
        pool,
        ({"type": GPU_NOT_READY, "requiredStatus": "False"},),
        STARTUP_TAINT,
        # A GPU that is lost later must not keep pods off the others.
        EnforcementMode.BOOTSTRAP_ONLY,
    )


NODE_READINESS = Definition(
    name="node-readiness",
    description=__doc__,
    appears="where the cluster asks for it, on EKS",
    is_wanted=lambda platform: platform.cluster.addons.node_readiness,
    fields=("addons.nodeReadiness",),
    depends_on=("node-problem-detector", "node-readiness-controller"),
    wave=Wave.NODES,
    namespace=CONTROLLER_NAME,
    objects=lambda platform: map(node_readiness_rule, platform.pools),
    checks=(check_node_readiness,),
    warnings=lambda platform: crowded_rules(platform, map(node_readiness_rule, platform.pools)),
    rules=alert_table(
        "node-readiness",
        CONTROLLER_NAME,
        __package__,
        taint_key=STARTUP_TAINT.key,
        not_ready_condition=GPU_NOT_READY,
        namespace=CONTROLLER_NAME,
    ),
    contributes=lambda platform: Contribution(
        startup_taints={pool.name: (STARTUP_TAINT,) for pool in platform.pools}
    ),
)
