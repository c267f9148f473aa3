"""The rules by which nodes are freed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.node_readiness.construct import node_readiness_rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_a_rule_takes_the_taint_off_the_nodes_of_a_pool_once(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    assert node_readiness_rule(platform_of(sample("karpenter")).pool("h100")) == {
        "apiVersion": "readiness.node.x-k8s.io/v1alpha1",
        "kind": "NodeReadinessRule",
        "metadata": {"name": "h100", "labels": {"app.kubernetes.io/managed-by": "gpuplane"}},
        "spec": {
            "nodeSelector": {"matchLabels": {"gpuplane.io/pool": "h100"}},
            "conditions": [{"type": "gpuplane.io/GpuNotReady", "requiredStatus": "False"}],
            "taint": {
                "key": "readiness.k8s.io/gpu-not-ready",
                "value": "true",
                "effect": "NoSchedule",
            },
            "enforcementMode": "bootstrap-only",
        },
    }
