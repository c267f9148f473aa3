"""Values of Node Feature Discovery, which the charts of the GPU operators carry within them.

https://kubernetes-sigs.github.io/node-feature-discovery/v0.19/deployment/helm.html
"""

from typing import Any

from charts_py.components.tolerations import tolerations_of
from charts_py.platform.platform import Platform
from charts_py.spec.provider import Provider


def node_feature_discovery_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the one that labels the nodes of all pools, whatever their vendor.

    On machines of one's own its rules also taint the nodes, which it does not do by default.
    """
    values: dict[str, Any] = {"worker": {"tolerations": tolerations_of(platform.pools)}}
    if platform.cluster.provider is Provider.ONPREM:
        values["master"] = {"enableTaints": True}
    return values
