"""topograph, which labels machines by the InfiniBand switches above them.

`fabric.topograph.run/tier-0` is the switch that a machine hangs on, `tier-1` the one above: levels
of a pool's `topology`, from the highest tier down. A daemon on each machine asks the fabric's
subnet manager, for which it is privileged; the server starts commands in its pods, and with that
right could in any pod of the cluster. https://github.com/NVIDIA/topograph
"""

from typing import Any

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.instance_type import Interconnect
from gpus.platform_names import INTERCONNECT

TOPOGRAPH_NAME = "topograph"
"""Name of its chart, its namespace and its Application."""
_ON_INFINIBAND = {INTERCONNECT: Interconnect.INFINIBAND.value}
_DEVICES = "/sys/class"
_VOLUME = "sys-class"


def topograph_values(platform: Platform) -> dict[str, Any]:
    """Return values by which topograph learns which machines share an InfiniBand fabric.

    https://github.com/NVIDIA/topograph at v1.0.0, docs/providers/infiniband.md and
    docs/engines/k8s.md
    """
    return {
        "provider": {"name": "infiniband-k8s", "params": {"nodeSelector": _ON_INFINIBAND}},
        "engine": {"name": "k8s"},
        "nodeObserver": {"topograph": {"trigger": {"nodeSelector": _ON_INFINIBAND}}},
        "nodeDataBroker": _broker(platform),
        # Pods of `helm test`, which nobody runs.
        "tests": {"enabled": False},
        **pull_secrets(platform.cluster.pull_secret_names),
    }


def _broker(platform: Platform) -> dict[str, Any]:
    """Return the daemon in which topograph asks the fabric, as root: it opens its devices."""
    root = {"runAsNonRoot": False, "runAsUser": 0}
    pools = [
        pool for pool in platform.pools if pool.hardware.interconnect is Interconnect.INFINIBAND
    ]
    return {
        "nodeSelector": _ON_INFINIBAND,
        "tolerations": tolerations_of(platform.daemon_taints(pools)),
        "podSecurityContext": {**root, "runAsGroup": 0, "fsGroup": 0},
        "securityContext": {
            **root,
            "privileged": True,
            "allowPrivilegeEscalation": True,
            "readOnlyRootFilesystem": False,
            "capabilities": {"drop": []},
        },
        "volumes": [{"name": _VOLUME, "hostPath": {"path": _DEVICES, "type": "Directory"}}],
        "volumeMounts": [{"name": _VOLUME, "mountPath": _DEVICES}],
    }


TOPOGRAPH = Definition(
    name=TOPOGRAPH_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.topograph,
    fields=("addons.topograph", "pools.NAME.interconnect"),
    wave=Wave.NODES,
    namespace=PlatformNamespace(TOPOGRAPH_NAME, PodSecurity.PRIVILEGED, goes_last=True),
    charts=(known_chart(TOPOGRAPH_NAME),),
    values=topograph_values,
)
