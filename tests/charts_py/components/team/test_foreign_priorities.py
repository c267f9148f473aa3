"""Priorities that are not a team's own."""

from charts_py.components.team.foreign_priorities import foreign_priorities


def test_no_pod_may_have_a_class_that_is_not_the_teams_whoever_made_it() -> None:
    document = foreign_priorities("research", own=("training", "batch"))
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
                    {"scopeName": "PriorityClass", "operator": "Exists"},
                    {
                        "scopeName": "PriorityClass",
                        "operator": "NotIn",
                        "values": ["batch", "training"],
                    },
                ]
            },
        },
    }
