"""Intel's GPU device plugin as a plain DaemonSet.

Intel's Helm chart only makes an object for its device plugins operator, whose webhooks need
cert-manager; the plugin itself needs neither. It offers `gpu.intel.com/i915` or `gpu.intel.com/xe`
by the kernel's driver, which the machine's own kernel brings. What it mounts and asks for is taken
from deployments/gpu_plugin/base of https://github.com/intel/intel-device-plugins-for-kubernetes at
v0.36.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.wave import Wave
from gpus.vendor import INTEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform

_IMAGE = "docker.io/intel/intel-gpu-plugin:0.36.0"


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.intel_gpu_device_plugin.construct import (
        IntelGpuDevicePlugin,
        IntelGpuDevicePluginProps,
    )

    pools = platform.pools_of(INTEL)
    props = IntelGpuDevicePluginProps(
        pools=[pool.name for pool in pools],
        taints=platform.daemon_taints(pools),
        image=platform.mirrors.of(_IMAGE),
        pull_secret_names=platform.cluster.pull_secret_names,
    )
    return lambda scope: IntelGpuDevicePlugin(scope, "intel-gpu-device-plugin", props)


INTEL_GPU_DEVICE_PLUGIN = Definition(
    name="intel-gpu-device-plugin",
    description=__doc__,
    appears="with Intel GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(INTEL)),
    fields=("pools.NAME.gpu", "imagePullSecrets", "registries"),
    wave=Wave.OPERATORS,
    namespace=KUBE_SYSTEM_NAMESPACE,
    construct=_construct,
    registries=lambda _: (registry_of(_IMAGE),),
)
