"""Node-problem-detector, which sets conditions on the nodes of each pool.

`gpuplane.io/GpuNotReady` names what a node lacks of what its pool promises, by what the kubelet
holds of device plugins; there is none on pools of DRA. `addons.gpuHealth` adds
`gpuplane.io/GpuHardwareFault` and `gpuplane.io/GpuDriverFault`, by the errors that NVIDIA's driver
writes to the kernel's log, for which the container is privileged: no other opens `/dev/kmsg`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.node_problem_detector.check import check_watched_pools
from charts_py.components.node_problem_detector.detector import (
    DETECTOR,
    DETECTOR_NAME,
    detector_values,
    monitors_of,
    release_name,
)
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform


def _parts(platform: Platform) -> Iterator[Component]:
    for pool in platform.pools:
        if monitors_of(platform, pool):
            yield Component(
                name=release_name(pool),
                wave=Wave.OPERATORS,
                namespace=DETECTOR_NAME,
                helm=DETECTOR.release(platform, detector_values(platform, pool)),
            )


NODE_PROBLEM_DETECTOR = Definition(
    name="node-problem-detector",
    description=__doc__,
    appears="where the cluster asks for node readiness or GPU health",
    is_wanted=lambda platform: platform.cluster.addons.watches_nodes,
    fields=(
        "addons.nodeReadiness",
        "addons.gpuHealth",
        "pools.NAME.sharing",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=("namespaces",),
    wave=Wave.OPERATORS,
    contribution=Contribution(
        # It mounts folders of the host.
        namespaces=(PlatformNamespace(DETECTOR_NAME, PodSecurity.PRIVILEGED),),
    ),
    charts=(DETECTOR,),
    parts=_parts,
    checks=(check_watched_pools,),
)
