"""Node Feature Discovery: within the GPU operators' charts, or a release of its own.

https://kubernetes-sigs.github.io/node-feature-discovery/v0.19/deployment/helm.html
"""

from typing import Any

from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.model import AMD, NVIDIA

_WITH_AN_OPERATOR = (NVIDIA, AMD)
"""Vendors whose operator's chart carries it."""


def node_feature_discovery_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the one that labels the nodes of all pools, whatever their vendor.

    On machines of one's own its rules also taint the nodes, which it does not do by default.
    """
    tolerations = tolerations_of(platform.daemon_taints(platform.pools))
    values: dict[str, Any] = {
        **pull_secrets(platform.cluster.pull_secret_names),
        "worker": {"tolerations": tolerations},
    }
    if not platform.provider.makes_nodes:
        values["master"] = {"enableTaints": True}
    return values


NODE_FEATURE_DISCOVERY = Definition(
    name="node-feature-discovery",
    description=__doc__,
    appears="where its rules make the pools of machines that are there, and no GPU operator has it",
    is_wanted=lambda platform: (
        not platform.provider.makes_nodes and not platform.pools_of(*_WITH_AN_OPERATOR)
    ),
    fields=("provider", "pools.NAME.gpu"),
    wave=Wave.OPERATORS,
    # Its workers mount the host's folders, which a namespace of our own would have to allow.
    namespace=KUBE_SYSTEM_NAMESPACE,
    charts=(known_chart("node-feature-discovery"),),
    values=node_feature_discovery_values,
)
