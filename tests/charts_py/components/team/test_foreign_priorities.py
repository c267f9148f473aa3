"""Priorities that are not a team's own."""

from charts_py.components.team.foreign_priorities import foreign_priorities


def test_no_pod_may_have_a_class_that_is_not_the_teams_or_is_critical() -> None:
    ladder = ("system", "inference", "training", "batch")
    document = foreign_priorities("research", ladder, own=("training", "batch"))
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
