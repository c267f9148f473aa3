"""Leave for critical pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_operator_quota.construct import (
    CriticalPodsQuota,
    CriticalPodsQuotaProps,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document


def test_a_quota_allows_so_many_critical_pods(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    props = CriticalPodsQuotaProps("gpu-operator", pods=100)
    (document,) = documents_of(lambda scope: CriticalPodsQuota(scope, "quota", props))
    assert document == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {
            "name": "critical-pods",
            "namespace": "gpu-operator",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
        "spec": {
            "hard": {"pods": "100"},
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
    }
