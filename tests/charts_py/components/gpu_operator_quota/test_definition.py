"""Permission for the GPU operator's pods to have a critical priority."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from charts_py.components.gpu_operator_quota.definition import GPU_OPERATOR_QUOTA
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

CLUSTERS = ("training", "inference", "mixed", "onprem")


def test_only_gke_needs_permission_for_critical_pods(example: Callable[[str], Platform]) -> None:
    names = {name: [c.name for c in GPU_OPERATOR_QUOTA.plan(example(name))] for name in CLUSTERS}
    assert names == {
        "training": [],
        "inference": ["gpu-operator-quota"],
        "mixed": [],
        "onprem": [],
    }
    assert example("inference").cluster.provider is Provider.GKE


def test_a_quota_allows_any_number_of_critical_pods_beside_the_operator(
    example: Callable[[str], Platform],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> None:
    (quota,) = GPU_OPERATOR_QUOTA.plan(example("inference"))
    (operator,) = GPU_OPERATOR.plan(example("inference"))
    assert operator.namespace == "gpu-operator"
    assert documents_of_component(quota) == (
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {
                "name": "critical-pods",
                "namespace": "gpu-operator",
                "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
            },
            "spec": {
                "hard": {"pods": "1000000"},
                "scopeSelector": {
                    "matchExpressions": [
                        {
                            "scopeName": "PriorityClass",
                            "operator": "In",
                            "values": ["system-cluster-critical", "system-node-critical"],
                        }
                    ]
                },
            },
        },
    )
