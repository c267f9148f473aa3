"""The readiness controller, which puts taints on nodes and takes them off by their conditions.

Node readiness has it take off the taint that nodes start with, and `addons.gpuHealth` taint those
whose GPUs are broken. It must outlive the rules of both: it takes off the taint of a rule that is
deleted.
"""

from collections.abc import Mapping
from enum import StrEnum

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.namespaces import lasting_namespace
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import taint_objects
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.platform import PlatformPool
from charts_py.platform.wave import Wave
from charts_py.providers.registry import PROVIDERS
from gpus.platform_names import POOL
from gpus.provider import Provider
from gpus.taint import NO_SCHEDULE, Taint
from policies.settings import PodSecurity

ON_EKS = f"on {Provider.EKS}"
"""Where an autoscaler knows the taint: Karpenter, or one's own, which is told by a flag."""
TAINT_PREFIX = "readiness.k8s.io"
"""The controller takes no other before the key of a taint
(https://github.com/kubernetes-sigs/node-readiness-controller, api/v1alpha1 at v0.5.0)."""
STARTUP_TAINT = Taint(f"{TAINT_PREFIX}/gpu-not-ready", "true", NO_SCHEDULE)
CONTROLLER_NAME = "node-readiness-controller"
"""Name of its chart, its namespace and its Application."""
CONTROLLER = known_chart(CONTROLLER_NAME)


class EnforcementMode(StrEnum):
    """For how long a rule looks at a node."""

    BOOTSTRAP_ONLY = "bootstrap-only"
    """Until the taint is off for the first time."""
    CONTINUOUS = "continuous"
    """Always, so that the taint can come again."""


RULE_TYPE = ("readiness.node.x-k8s.io/v1alpha1", "NodeReadinessRule")


def readiness_rule(
    metadata: ObjectMeta,
    pool: PlatformPool,
    conditions: tuple[Mapping[str, str], ...],
    taint: Taint,
    mode: EnforcementMode,
) -> Document:
    """Return a rule for the nodes of a pool; all but `dryRun` is immutable."""
    (taint_object,) = taint_objects((taint,))
    spec = {
        "nodeSelector": {"matchLabels": {POOL: pool.name}},
        "conditions": list(conditions),
        "taint": taint_object,
        "enforcementMode": mode.value,
    }
    return object_of(*RULE_TYPE, metadata, {"spec": spec})


def takes_startup_taints(draft: Draft) -> bool:
    """Return whether what makes the nodes knows the taints that they start with.

    An autoscaler that does not know the taint starts another node in place of each that has it.
    """
    return PROVIDERS[draft.provider.name].provisioner(draft.cluster).takes_startup_taints


def unknown_taint(draft: Draft, field: FieldPath, allowed: str) -> Problem:
    """Return the problem of a field that asks for such a taint where none knows it."""
    what = f"no node on {draft.provider.name} starts with a taint that its autoscaler knows"
    return Problem(field, what, allowed)


NAMESPACE_OF_READINESS_CONTROLLER = lasting_namespace(
    name=f"{CONTROLLER_NAME}-namespace",
    description="""
The namespace of the readiness controller, which goes after it, and that after the last rule.

The controller takes the taint of a rule that is deleted off the nodes, and lets the rule go:
without it taints and rules would stay.
""",
    own=PlatformNamespace(CONTROLLER_NAME, PodSecurity.RESTRICTED),
    appears="where the readiness controller does",
    is_wanted=lambda platform: platform.cluster.addons.taints_nodes,
    fields=("addons.nodeReadiness", "addons.gpuHealth"),
)


NODE_READINESS_CONTROLLER = Definition(
    name=CONTROLLER_NAME,
    description=__doc__,
    appears="where the cluster asks for node readiness, or for GPU health that does more than "
    "observe",
    is_wanted=lambda platform: platform.cluster.addons.taints_nodes,
    fields=("addons.nodeReadiness", "addons.gpuHealth"),
    depends_on=(NAMESPACE_OF_READINESS_CONTROLLER.name,),
    wave=Wave.OPERATORS,
    namespace=CONTROLLER_NAME,
    charts=(CONTROLLER,),
)
