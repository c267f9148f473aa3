"""Node-problem-detector, which sets conditions on the nodes of each pool.

`gpuplane.io/GpuNotReady` names what a node lacks of what its pool promises, by what the kubelet
holds of device plugins; there is none on pools of DRA. `addons.gpuHealth` adds
`gpuplane.io/GpuHardwareFault` and `gpuplane.io/GpuDriverFault`, by the errors that NVIDIA's driver
writes to the kernel's log, for which the container is privileged: no other opens `/dev/kmsg`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.node_problem_detector.monitors import (
    FOLDER,
    Monitor,
    MonitorKind,
    burn_in_monitors,
    burnt_in,
    device_monitor,
    xid_monitors,
)
from charts_py.components.object_table import daemons_on
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import check_name, label_value_rule
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.model import NVIDIA
from gpus.platform_names import MAX_LABEL_VALUE, POOL
from policies.settings import PodSecurity

DETECTOR_NAME = "node-problem-detector"
"""Name of its chart and of its namespace; its Applications have the pool's name behind it."""
_SECURITY_CONTEXT: Mapping[str, Any] = {
    "privileged": False,
    "allowPrivilegeEscalation": False,
    "readOnlyRootFilesystem": True,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
"""Root, as the owner of the kubelet's file, and nothing else."""
_PRIVILEGED: Mapping[str, Any] = {"privileged": True, "readOnlyRootFilesystem": True}
DETECTOR = known_chart(DETECTOR_NAME)
_REQUESTS: Mapping[str, str] = {"cpu": "10m", "memory": "64Mi"}
_CONFIG_MAP_NAME = f"{DETECTOR_NAME}-{{pool}}-custom-config"
"""The longest of a release: names are cut at the length of a label value."""
POOL_NAME = label_value_rule(
    "a pool whose nodes are watched", MAX_LABEL_VALUE - len(_CONFIG_MAP_NAME.format(pool=""))
)
"""Pool names so short that no two releases have an object in common: the chart truncates names."""


def release_name(pool: PlatformPool) -> str:
    return f"{DETECTOR_NAME}-{pool.name}"


def monitors_of(platform: Platform, pool: PlatformPool) -> tuple[Monitor, ...]:
    return tuple(_monitors(platform, pool))


def _monitors(platform: Platform, pool: PlatformPool) -> Iterator[Monitor]:
    if pool.facts.advertised:
        yield device_monitor(pool)
    if platform.cluster.addons.gpu_health and pool.vendor == NVIDIA:
        yield from xid_monitors()
    if burnt_in(platform, (pool,)):
        yield from burn_in_monitors()


def detector_values(platform: Platform, pool: PlatformPool) -> dict[str, Any]:
    monitors = monitors_of(platform, pool)
    is_privileged = any(monitor.is_privileged for monitor in monitors)
    return {
        "settings": {
            **{kind.value: _paths(monitors, kind) for kind in MonitorKind},
            "custom_monitor_definitions": _files(monitors),
            # Nothing scrapes it.
            "prometheus_address": "127.0.0.1",
        },
        "volume": {"localtime": {"enabled": False}},
        "securityContext": _PRIVILEGED if is_privileged else _SECURITY_CONTEXT,
        "extraVolumes": [volume for monitor in monitors for volume in monitor.volumes],
        "extraVolumeMounts": [mount for monitor in monitors for mount in monitor.mounts],
        "nodeSelector": {POOL: pool.name},
        "tolerations": tolerations_of(platform.daemon_taints((pool,))),
        **pull_secrets(platform.cluster.pull_secret_names),
        "resources": {"requests": _REQUESTS, "limits": {"memory": "128Mi"}},
    }


def _paths(monitors: Iterable[Monitor], kind: MonitorKind) -> list[str]:
    return [f"{FOLDER}/{monitor.file}" for monitor in monitors if monitor.kind is kind]


def _files(monitors: Iterable[Monitor]) -> dict[str, str]:
    files: dict[str, str] = {}
    for monitor in monitors:
        files |= {monitor.file: monitor.content, **monitor.scripts}
    return files


def check_watched_pools(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose name is too long for the objects of its detector."""
    if draft.cluster.addons.watches_nodes:
        for pool in draft.pools:
            yield from check_name(POOL_NAME, pool.path, pool.name)


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
    fields=("addons.nodeReadiness", "addons.gpuHealth", "pools.NAME.sharing"),
    wave=Wave.OPERATORS,
    # It mounts folders of the host.
    namespace=PlatformNamespace(DETECTOR_NAME, PodSecurity.PRIVILEGED),
    charts=(DETECTOR,),
    parts=_parts,
    rules=alert_table(
        DETECTOR_NAME, DETECTOR_NAME, __package__, namespace=DETECTOR_NAME, detector=DETECTOR_NAME
    ),
    contributes=lambda platform: daemons_on(
        [pool for pool in platform.pools if monitors_of(platform, pool)], _REQUESTS
    ),
    checks=(check_watched_pools,),
)
