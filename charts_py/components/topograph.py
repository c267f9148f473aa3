"""topograph, which labels machines by the InfiniBand switches above them.

`fabric.topograph.run/tier-0` is the switch that a machine hangs on, `tier-1` the one above: levels
of a pool's `topology`, from the highest tier down. A daemon on each machine asks the fabric's
subnet manager, for which it is privileged; the server starts commands in its pods, and with that
right could in any pod of the cluster. It asks nobody who they are, so that a NetworkPolicy lets in
its own namespace alone. https://github.com/NVIDIA/topograph
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.network_rules import network_policy_of
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pods import tolerations_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.instance_type import Interconnect
from gpus.platform_names import INTERCONNECT
from policies.settings import PodSecurity

TOPOGRAPH_NAME = "topograph"
"""Name of its chart, its namespace and its Application."""


def _values(platform: Platform) -> Mapping[str, Any]:
    pools = (p for p in platform.pools if p.hardware.interconnect is Interconnect.INFINIBAND)
    return known_chart(TOPOGRAPH_NAME).stated_values(
        platform,
        selector={INTERCONNECT: Interconnect.INFINIBAND.value},
        tolerations=tolerations_of(platform.daemon_taints(pools)),
    )


def _parts(platform: Platform) -> Iterator[Component]:
    spec = {
        "podSelector": {},
        "policyTypes": ["Ingress"],
        "ingress": [{"from": [{"podSelector": {}}]}],
    }
    metadata = ObjectMeta(TOPOGRAPH_NAME, TOPOGRAPH_NAME)
    policy = network_policy_of(metadata, spec)
    yield Component(
        name=f"{TOPOGRAPH_NAME}-network",
        wave=Wave.NODES,
        namespace=TOPOGRAPH_NAME,
        objects=lambda: (policy,),
    )
    yield Component(
        name=TOPOGRAPH_NAME,
        wave=Wave.NODES,
        namespace=TOPOGRAPH_NAME,
        helm=known_chart(TOPOGRAPH_NAME).release(platform, _values(platform)),
    )


TOPOGRAPH = Definition(
    name=TOPOGRAPH_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.topograph,
    fields=("addons.topograph", "pools.NAME.interconnect"),
    wave=Wave.NODES,
    namespace=PlatformNamespace(TOPOGRAPH_NAME, PodSecurity.PRIVILEGED, goes_last=True),
    charts=(known_chart(TOPOGRAPH_NAME),),
    parts=_parts,
)
