"""Node Feature Discovery: within the GPU operators' charts, or a release of its own.

https://kubernetes-sigs.github.io/node-feature-discovery/v0.19/deployment/helm.html
"""

from charts_py.components.definition import Chart, Definition
from charts_py.components.node_feature_discovery.images import discovery_image
from charts_py.components.node_feature_discovery.values import KINDS, node_feature_discovery_values
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave
from gpus.vendor import AMD, NVIDIA

_WITH_AN_OPERATOR = (NVIDIA, AMD)
"""Vendors whose operator's chart carries it."""

NODE_FEATURE_DISCOVERY = Definition(
    name="node-feature-discovery",
    description=__doc__,
    appears="where its rules make the pools of machines that are there, and no GPU operator has it",
    is_wanted=lambda platform: (
        not platform.provider.makes_nodes and not platform.pools_of(*_WITH_AN_OPERATOR)
    ),
    fields=("provider", "pools.NAME.gpu", "imagePullSecrets", "registries", "charts"),
    wave=Wave.OPERATORS,
    # Its workers mount the host's folders, which a namespace of our own would have to allow.
    namespace=KUBE_SYSTEM_NAMESPACE,
    charts=(
        Chart(
            repository="https://kubernetes-sigs.github.io/node-feature-discovery/charts",
            name="node-feature-discovery",
            kinds=lambda _: KINDS,
            images=(discovery_image("image", "v0.19.0"),),
        ),
    ),
    values=node_feature_discovery_values,
)
