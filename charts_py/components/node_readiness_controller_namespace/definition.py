"""The namespace of the readiness controller, which goes after it, and that after the last rule.

The controller takes the taint of a rule that is deleted off the nodes, and lets the rule go:
without it taints and rules would stay.
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.namespaces import lasting_namespace
from charts_py.platform.contribution import PlatformNamespace

CONTROLLER_NAME = "node-readiness-controller"
"""Name of its chart, its namespace and its Application."""

NAMESPACE_OF_READINESS_CONTROLLER = lasting_namespace(
    name=f"{CONTROLLER_NAME}-namespace",
    description=__doc__,
    own=PlatformNamespace(CONTROLLER_NAME, PodSecurity.RESTRICTED),
    appears="where the readiness controller does",
    is_wanted=lambda platform: platform.cluster.addons.taints_nodes,
    fields=("addons.nodeReadiness", "addons.gpuHealth"),
)
