"""The readiness controller, which puts taints on nodes and takes them off by their conditions.

https://github.com/kubernetes-sigs/node-readiness-controller
"""

from typing import Any

from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.components.node_readiness_controller_namespace.definition import CONTROLLER_NAME
from charts_py.objects.document import EmittedKind
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

CONTROLLER = Chart(
    # No Helm repository has it yet, says its own documentation at v0.5.0.
    repository="https://github.com/kubernetes-sigs/node-readiness-controller",
    name=CONTROLLER_NAME,
    path=f"charts/{CONTROLLER_NAME}",
    kinds=lambda _: (
        EmittedKind("", "ServiceAccount", namespaced=True),
        EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
        EmittedKind("apps", "Deployment", namespaced=True),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
        EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
        EmittedKind("rbac.authorization.k8s.io", "Role", namespaced=True),
        EmittedKind("rbac.authorization.k8s.io", "RoleBinding", namespaced=True),
    ),
    images=(
        ChartImage(
            section="image",
            repository="registry.k8s.io/node-readiness-controller/node-readiness-controller",
            tag="v0.4.1",
        ),
    ),
)


def controller_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    return {
        # The chart names an older image, which may taint a node again that is ready.
        "image": {"tag": locked_chart(CONTROLLER_NAME).chart_version},
        # By default it tolerates everything, and so would run on GPU nodes.
        "tolerations": [],
        **pull_secrets(platform.cluster.pull_secret_names),
    }
