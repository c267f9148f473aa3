from typing import Any

import pytest

from policies.document import Document
from policies.operation import apply
from policies.rules.replica_spread import RULE
from tests.policies.conftest import found, gpu_pod


def _labelled(pod: Document, labels: Any) -> Document:
    pod["metadata"]["labels"] = labels
    return pod


@pytest.mark.parametrize(
    ("labels", "matched"),
    [
        ({"app": "llm", "pod-template-hash": "1"}, {"app": "llm"}),
        (
            {"app": "x", "app.kubernetes.io/name": "vllm", "app.kubernetes.io/instance": "llm"},
            {"app.kubernetes.io/name": "vllm", "app.kubernetes.io/instance": "llm"},
        ),
    ],
)
def test_replicas_prefer_different_nodes(labels: Any, matched: Any) -> None:
    pod = _labelled(gpu_pod(), labels)
    (finding,) = found(RULE, pod, "serving")
    apply(pod, finding.fix)
    term = {"labelSelector": {"matchLabels": matched}, "topologyKey": "kubernetes.io/hostname"}
    preference = {"weight": 100, "podAffinityTerm": term}
    assert pod["spec"]["affinity"] == {
        "podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [preference]}
    }
    assert found(RULE, pod, "serving") == []


@pytest.mark.parametrize(
    ("namespace", "labels", "spec"),
    [
        ("training", {"app": "llm"}, {}),
        ("serving", {}, {}),
        ("serving", {"app": "llm"}, {"topologySpreadConstraints": [{}]}),
        ("serving", {"app": "llm"}, {"affinity": {"podAntiAffinity": {"x": []}}}),
    ],
)
def test_a_pod_is_left_alone(namespace: str, labels: Any, spec: Any) -> None:
    assert found(RULE, _labelled(gpu_pod(**spec), labels), namespace) == []
