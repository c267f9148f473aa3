"""topograph, which labels machines by the InfiniBand switches above them.

`fabric.topograph.run/tier-0` is the switch that a machine hangs on, `tier-1` the one above: levels
of a pool's `topology`, from the highest tier down. A daemon on each machine asks the fabric's
subnet manager, for which it is privileged; the server starts commands in its pods, and with that
right could in any pod of the cluster. https://github.com/NVIDIA/topograph
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.definition import Definition
from charts_py.components.topograph.chart import (
    TOPOGRAPH_CHART,
    TOPOGRAPH_NAME,
    topograph_values,
)
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave

TOPOGRAPH = Definition(
    name=TOPOGRAPH_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.topograph,
    fields=(
        "addons.topograph",
        "pools.NAME.interconnect",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=("lasting-namespaces",),
    wave=Wave.NODES,
    namespace=TOPOGRAPH_NAME,
    contribution=Contribution(
        namespaces=(PlatformNamespace(TOPOGRAPH_NAME, PodSecurity.PRIVILEGED, goes_last=True),),
    ),
    charts=(TOPOGRAPH_CHART,),
    values=topograph_values,
)
