"""Whether nodes have the network that jobs over several of them talk over.

It is nothing but rules, which stand with those of the others in the component `monitoring`.
"""

from charts_py.components.alert_tables import alert_table
from charts_py.components.definition import rules_alone
from charts_py.platform.fabric import fabric
from charts_py.platform.metrics_collection import Alert
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from gpus.instance_type import Interconnect

_NAME = "node-network"
_LACKS_NETWORK = "GpuplaneNodeLacksNetwork"
_RDMA = frozenset({Interconnect.INFINIBAND, Interconnect.ROCE})


def _has_alert(platform: Platform, alert: Alert) -> bool:
    if alert.name == _LACKS_NETWORK:
        return any(fabric(platform, pool).resources for pool in platform.pools)
    return any(pool.hardware.interconnect in _RDMA for pool in platform.pools)


NODE_NETWORK = rules_alone(
    _NAME,
    __doc__,
    ("pools.NAME.interconnect",),
    alert_table(_NAME, KUBE_SYSTEM_NAMESPACE, __package__, "node_network", has=_has_alert),
)
