"""What AMD's GPU operator runs on the nodes, as its DeviceConfig.

Device plugin, node labeller and metrics exporter, on every AMD node.
https://instinct.docs.amd.com/projects/gpu-operator/en/main/fulldeviceconfig.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.amd_device_config.alerts import RULE_GROUP
from charts_py.components.amd_device_config.collected import measures_amd_gpus
from charts_py.components.amd_device_config.images import REGISTRY
from charts_py.components.amd_gpu_operator.definition import NAMESPACE
from charts_py.components.definition import Definition
from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.wave import Wave
from gpus.vendor import AMD

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.amd_device_config.construct import (
        AmdDeviceConfig,
        AmdDeviceConfigProps,
    )

    taints = platform.daemon_taints(platform.pools_of(AMD))
    secrets = platform.cluster.pull_secret_names
    props = AmdDeviceConfigProps(taints, platform.monitoring, secrets, platform.mirrors)
    return lambda scope: AmdDeviceConfig(scope, "amd-device-config", props)


AMD_DEVICE_CONFIG = Definition(
    name="amd-device-config",
    description=__doc__,
    appears="with AMD GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(AMD)),
    fields=(
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.interval",
        "addons.monitoring.labels",
        "imagePullSecrets",
        "registries",
    ),
    # Its kind comes with the operator.
    depends_on=("amd-gpu-operator",),
    wave=Wave.NODE_FEATURES,
    namespace=NAMESPACE,
    construct=_construct,
    registries=lambda _: (REGISTRY,),
    rules=lambda platform: (RULE_GROUP,) if measures_amd_gpus(platform) else (),
    alerts=lambda: RULE_GROUP.alerts,
    prerequisites=(
        Prerequisite(
            name="kube-state-metrics",
            needed="for the alert on AMD GPUs that nobody measures",
            without="the alert never fires",
        ),
    ),
)
