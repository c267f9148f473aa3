from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_pool_on_gke_has_a_gpu_that_gke_has(faults_after: Callable[..., str]) -> None:
    stated = (
        "instanceType: g9-standard-48\n    gpu: L40\n    gpus: 4\n    cpu: 48\n    memory: 192Gi"
    )
    assert faults_after("gke", ("instanceType: g2-standard-48", stated)) == (
        "sample.yaml:20: pools.l4.gpu: L40 is not available on GKE; allowed: A100-SXM-40, "
        "A100-SXM-80, B200, GB200, H100-SXM, H200-SXM, L4, RTX-PRO-6000, T4, V100-SXM-16; "
        "nearest: L4"
    )
