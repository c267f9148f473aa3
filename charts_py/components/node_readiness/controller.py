"""The readiness controller, which puts taints on nodes and takes them off by their conditions.

Node readiness has it take off the taint that nodes start with, and `addons.gpuHealth` taint those
whose GPUs are broken. It must outlive the rules of both: it takes off the taint of a rule that is
deleted.
"""

from typing import Any

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.namespaces import lasting_namespace
from charts_py.objects.pods import pull_secrets
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from upstream.lock import locked_chart

CONTROLLER_NAME = "node-readiness-controller"
"""Name of its chart, its namespace and its Application."""
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
CONTROLLER = known_chart(CONTROLLER_NAME)


def controller_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release of https://github.com/kubernetes-sigs/node-readiness-controller."""
    return {
        # The chart names an older image, which may taint a node again that is ready.
        "image": {"tag": locked_chart(CONTROLLER_NAME).chart_version},
        # By default it tolerates everything, and so would run on GPU nodes.
        "tolerations": [],
        **pull_secrets(platform.cluster.pull_secret_names),
    }


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
    values=controller_values,
)
