"""Priorities that are not a team's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.team.foreign_priorities import ForeignPriorities, ForeignPrioritiesProps

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.objects.document import Document


def test_no_pod_may_have_a_class_that_is_not_the_teams_or_is_critical(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    ladder = ("system", "inference", "training", "batch")
    props = ForeignPrioritiesProps("research", ladder, own=("training", "batch"))
    (document,) = documents_of(lambda scope: ForeignPriorities(scope, "foreign", props))
    assert document == {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {
            "name": "foreign-priorities",
            "namespace": "research",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
        "spec": {
            "hard": {"pods": "0"},
            "scopeSelector": {
                "matchExpressions": [
                    {
                        "scopeName": "PriorityClass",
                        "operator": "In",
                        "values": [
                            "inference",
                            "system",
                            "system-cluster-critical",
                            "system-node-critical",
                        ],
                    }
                ]
            },
        },
    }
