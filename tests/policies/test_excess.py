import json
from typing import Any

import pytest

from policies.admission import Admission
from policies.document import Document
from policies.excess import length_of
from policies.limits import (
    MAX_ADDED_EXPRESSIONS,
    MAX_CONTAINERS,
    MAX_EXPRESSIONS,
    MAX_NODE_SELECTOR_TERMS,
)
from policies.operation import Operation
from policies.rule_name import Mode, RuleName
from tests.policies.conftest import admit, affinity, gpu_pod

ZONE = {"key": "zone", "operator": "Exists"}
TERM = {"matchExpressions": [ZONE]}
OURS = {"key": "gpuplane.io/pool", "operator": "Exists"}
NO_GPU = {"resources": {"limits": {"cpu": 1}}}
MANY = [TERM] * (MAX_NODE_SELECTOR_TERMS + 1)
VALIDATION = {"fixes": False}


def _said(admission: Admission) -> list[str]:
    return [str(outcome) for outcome in admission.outcomes]


@pytest.mark.parametrize("review", [{}, VALIDATION], ids=["mutate", "validate"])
@pytest.mark.parametrize("namespace", ["plain", "granted", "foreign"])
@pytest.mark.parametrize(
    ("terms", "excess"),
    [
        (MANY, "65 terms; allowed: 64"),
        (
            [TERM, {"matchExpressions": [ZONE] * (MAX_EXPRESSIONS + 1)}],
            "65 expressions in term 1; allowed: 64",
        ),
        (
            [{"matchExpressions": [ZONE] * MAX_EXPRESSIONS + [OURS] * (MAX_ADDED_EXPRESSIONS + 1)}],
            "65 expressions in term 0; allowed: 64",
        ),
    ],
)
@pytest.mark.parametrize(
    ("container", "rule"), [({}, "granted-pools"), (NO_GPU, "gpu-node-intrusion")]
)
def test_a_pod_with_more_node_affinity_than_is_read_is_denied_and_not_changed(
    review: Any, namespace: str, terms: Any, excess: str, container: Any, rule: str
) -> None:
    admission = admit(gpu_pod(container, affinity=affinity(*terms)), namespace, review)
    assert admission.operations == ()
    assert _said(admission) == [
        (
            f"denied {rule}: The pod's required node affinity has {excess}. Name several values "
            "in one expression of spec.affinity.nodeAffinity."
        )
    ]


def test_as_much_node_affinity_as_is_read_passes() -> None:
    terms = [{"matchExpressions": [ZONE] * MAX_EXPRESSIONS}] * MAX_NODE_SELECTOR_TERMS
    assert admit(gpu_pod(affinity=affinity(*terms))).allowed


def test_what_rules_add_to_as_much_is_read_when_the_pod_comes_again() -> None:
    expressions = [ZONE] * MAX_EXPRESSIONS
    pod = gpu_pod(affinity=affinity({"matchExpressions": [*expressions]}))
    pod["metadata"]["annotations"] = {"gpuplane.io/gpu-model": "a100"}
    document = admit(pod, "granted").document
    pool = {"key": "gpuplane.io/pool", "operator": "In", "values": ["a100-spot"]}
    model = {"key": "gpuplane.io/gpu-model", "operator": "In", "values": ["a100"]}
    assert document["spec"]["affinity"] == affinity(
        {"matchExpressions": [*expressions, pool, model]}
    )
    assert admit(document, "granted").operations == ()


def test_what_rules_add_to_a_term_is_not_held_against_the_pod() -> None:
    pod = gpu_pod(affinity=affinity({"matchExpressions": [ZONE] * MAX_EXPRESSIONS}))
    annotations = {"gpuplane.io/gpu-model": "a100", "gpuplane.io/purchase": "spot"}
    pod["metadata"]["annotations"] = annotations
    added = [outcome.finding.rule for outcome in admit(pod, "granted").outcomes]
    assert added[:2] == [RuleName.GRANTED_POOLS, RuleName.NODE_AFFINITY]
    assert admit(pod, "granted", VALIDATION).allowed
    (term,) = pod["spec"]["affinity"]["nodeAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]["nodeSelectorTerms"]
    assert len(term["matchExpressions"]) == MAX_EXPRESSIONS + 2


@pytest.mark.parametrize(
    ("modes", "effects"),
    [
        ({"modes": {RuleName.GRANTED_POOLS: Mode.OFF}}, ["denied"]),
        ({"mode": Mode.WARN}, ["warned"]),
        ({"mode": Mode.AUDIT}, ["audited"]),
        ({"mode": Mode.OFF}, []),
    ],
)
def test_it_is_denied_where_any_rule_is_enforced(modes: Any, effects: list[str]) -> None:
    admission = admit(gpu_pod(affinity=affinity(*MANY)), "granted", **modes)
    assert [outcome.effect.value for outcome in admission.outcomes] == effects


def test_an_update_of_a_pod_that_had_as_much_is_judged_by_all_else() -> None:
    old = gpu_pod(affinity=affinity(*MANY))
    new = gpu_pod({"image": "train:latest"}, affinity=affinity(*MANY))
    review = {"operation": "UPDATE", "old": old, "fixes": False}
    assert [f.rule for f in admit(new, "granted", review).denials] == [RuleName.IMAGE_TAG]


def test_an_update_that_makes_it_too_much_is_denied() -> None:
    review = {"operation": "UPDATE", "old": gpu_pod()}
    assert not admit(gpu_pod(affinity=affinity(*MANY)), "granted", review).allowed


def _containers(count: int) -> list[Document]:
    return [{"name": f"c{number}", "image": "a:1"} for number in range(count)]


TOO_MANY = {
    "containers": {"containers": _containers(MAX_CONTAINERS + 1)},
    "init containers": {"initContainers": _containers(MAX_CONTAINERS)},
    "ephemeral containers": {"ephemeralContainers": _containers(MAX_CONTAINERS)},
}


@pytest.mark.parametrize("review", [{}, VALIDATION], ids=["mutate", "validate"])
@pytest.mark.parametrize("namespace", ["plain", "granted", "foreign"])
@pytest.mark.parametrize("spec", TOO_MANY.values(), ids=TOO_MANY)
def test_a_pod_with_more_containers_than_are_read_is_denied_and_not_changed(
    spec: Any, namespace: str, review: Any
) -> None:
    admission = admit(gpu_pod(**spec), namespace, review)
    assert admission.operations == ()
    assert _said(admission) == [
        ("denied granted-pools: The pod has 257 containers; allowed: 256. Make several pods of it.")
    ]


def test_as_many_containers_as_are_read_are_fixed_one_by_one() -> None:
    document = admit(gpu_pod(initContainers=_containers(MAX_CONTAINERS - 1))).document
    void = [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]
    assert [each.get("env") for each in document["spec"]["initContainers"]] == [void] * 255


@pytest.mark.parametrize(
    ("modes", "effects"),
    [
        ({"mode": Mode.OFF, "modes": {RuleName.PRIORITY_CLASS: Mode.ENFORCE}}, ["denied"]),
        ({"mode": Mode.WARN}, ["warned"]),
        ({"mode": Mode.OFF}, []),
    ],
)
def test_they_are_denied_where_any_rule_on_gpu_pods_is_enforced(
    modes: Any, effects: list[str]
) -> None:
    admission = admit(gpu_pod(**TOO_MANY["containers"]), "granted", **modes)
    assert [outcome.effect.value for outcome in admission.outcomes] == effects


def test_an_update_of_a_pod_that_had_as_many_containers_is_judged_by_all_else() -> None:
    old = gpu_pod(**TOO_MANY["containers"])
    new = gpu_pod(**TOO_MANY["containers"], tolerations=[{"operator": "Exists"}], hostIPC=True)
    review = {"operation": "UPDATE", "old": old, "fixes": False}
    assert [f.rule for f in admit(new, "granted", review).denials] == [RuleName.HOST_IPC]


def test_an_update_that_adds_to_them_is_denied() -> None:
    many = TOO_MANY["containers"]
    shell = {"name": "shell", "image": "a:1", "securityContext": {"privileged": True}}
    review = {"operation": "UPDATE", "old": gpu_pod(**many), "fixes": False}
    assert _said(admit(gpu_pod(**many, ephemeralContainers=[shell]), "granted", review)) == [
        ("denied granted-pools: The pod has 258 containers; allowed: 256. Make several pods of it.")
    ]


def test_an_update_that_adds_node_affinity_to_them_is_denied() -> None:
    many = TOO_MANY["containers"]
    review = {"operation": "UPDATE", "old": gpu_pod(**many), "fixes": False}
    assert not admit(gpu_pod(**many, affinity=affinity(*MANY)), "granted", review).allowed


def test_a_length_is_about_that_of_the_json() -> None:
    volume = {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}
    operations = [
        Operation("add", "/spec/volumes", [volume] * 100),
        Operation("add", "/spec/containers/0/resources/limits/nvidia.com~1gpu", 1),
        Operation("remove", "/spec/priority"),
    ]
    sent = len(json.dumps([operation.to_json() for operation in operations]))
    assert sent / 2 <= length_of(operations) <= sent
