"""Alerts on AMD GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.amd_gpu_operator.device_config import AMD_DEVICE_CONFIG

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_they_stand_beside_the_exporter_and_read_what_kube_state_metrics_serves(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    (group,) = AMD_DEVICE_CONFIG.rules(platform_of(sample("amd")))
    assert AMD_DEVICE_CONFIG.namespace == group.namespace
    assert group.reads_other_namespaces
