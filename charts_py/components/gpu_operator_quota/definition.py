"""Permission for the GPU operator's pods to have a system-critical priority.

Where the API server limits the consumption of these priorities by default, it admits such pods
outside kube-system only where a quota names them.
https://kubernetes.io/docs/concepts/policy/resource-quotas/#limit-priority-class-consumption-by-default
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.gpu_sharing.config_maps import NAMESPACE
from charts_py.platform.wave import Wave
from gpus.vendor import NVIDIA

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _is_wanted(platform: Platform) -> bool:
    return platform.provider.bounds_critical_pods and bool(platform.pools_of(NVIDIA))


def _construct(_: Platform) -> Callable[[Construct], object]:
    from charts_py.components.gpu_operator_quota.construct import GpuOperatorQuota

    return lambda scope: GpuOperatorQuota(scope, "gpu-operator-quota")


GPU_OPERATOR_QUOTA = Definition(
    name="gpu-operator-quota",
    description=__doc__,
    appears="with NVIDIA GPUs, where the provider bounds system-critical priorities",
    is_wanted=_is_wanted,
    fields=("provider",),
    depends_on=("namespaces",),
    wave=Wave.CONFIGURATION,
    namespace=NAMESPACE,
    construct=_construct,
)
