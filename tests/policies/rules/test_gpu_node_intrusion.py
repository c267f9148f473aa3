from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.gpu_node_intrusion import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


NO_GPU: Document = {"resources": {}}
TOLERATES = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}


def _affinity(operator: str) -> Document:
    expression = {"key": "gpuplane.io/gpu-model", "operator": operator, "values": ["h100"]}
    required = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    name = "requiredDuringSchedulingIgnoredDuringExecution"
    return {"affinity": {"nodeAffinity": {name: required}}}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (TOLERATES, "/spec/tolerations The pod asks for no GPU, but tolerates the taints"),
        (
            {"tolerations": [{"operator": "Exists"}]},
            "/spec/tolerations The pod asks for no GPU, but tolerates the taints",
        ),
        (
            {"nodeSelector": {"gpuplane.io/pool": "h100"}},
            "/spec/nodeSelector The pod asks for no GPU, but selects the nodes",
        ),
        (
            _affinity("In"),
            "/spec/affinity/nodeAffinity The pod asks for no GPU, but selects the nodes",
        ),
        (
            _affinity("Exists"),
            "/spec/affinity/nodeAffinity The pod asks for no GPU, but selects the nodes",
        ),
    ],
)
def test_a_pod_without_gpus_that_can_land_on_gpu_nodes_is_refused(
    found: Found, gpu_pod: MakePod, spec: Any, said: str
) -> None:
    (message,) = _messages(found(RULE, gpu_pod(NO_GPU, **spec)))
    assert message.startswith(f"{said} of pool h100. Ask for a GPU resource, or remove that from ")


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"tolerations": [{"key": "zone", "operator": "Exists"}]},
        {"nodeSelector": {"kubernetes.io/os": "linux"}},
        TOLERATES | {"nodeSelector": {"gpuplane.io/pool": "cpu"}},
        TOLERATES | {"resourceClaims": [{"name": "gpu"}]},
        _affinity("NotIn"),
        {"tolerations": [{"operator": "Exists"}]} | _affinity("DoesNotExist"),
    ],
)
def test_a_pod_that_cannot_or_may_passes(found: Found, gpu_pod: MakePod, spec: Any) -> None:
    assert found(RULE, gpu_pod(NO_GPU, **spec)) == []


def test_a_daemon_set_passes_outside_of_the_teams_namespaces(
    found: Found, gpu_pod: MakePod
) -> None:
    pod = gpu_pod(NO_GPU, **TOLERATES)
    pod["metadata"]["ownerReferences"] = [{"kind": "DaemonSet", "controller": True}]
    assert found(RULE, pod, "monitoring") == []
    assert len(found(RULE, pod, "plain")) == 1
