import copy
import datetime as dt
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from gpus.taint import Taint
from policies.admission import Effect
from policies.document import Document
from policies.limits import MAX_EXPRESSIONS
from policies.operation import Operation
from policies.settings import NamespaceSettings, OfferedResource, PoolSettings, Settings
from webhook.admission_round import AdmissionRound, admission_round, creation_of, patch_of
from webhook.reviewer import Purpose, Reviewer

POOL = PoolSettings(
    "h100",
    "nvidia",
    (OfferedResource("nvidia.com/gpu", 8),),
    cpu=192,
    memory=2**41,
    labels={
        "gpuplane.io/pool": "h100",
        "gpuplane.io/gpu-model": "h100",
        "gpuplane.io/interconnect": "efa",
        "gpuplane.io/nvlink": "true",
    },
    taints=(Taint("nvidia.com/gpu", "present", "NoSchedule"),),
)
OTHERS = replace(POOL, name="a100", labels={"gpuplane.io/pool": "a100"})
OWN = NamespaceSettings(team="research", purpose="training", pools=("h100",))
REVIEWER = Reviewer(
    Settings("test", (POOL, OTHERS), {"research": OWN}), lambda: dt.date(2026, 11, 21)
)


def _pod(**spec: Any) -> Document:
    resources = {"limits": {"nvidia.com/gpu": 1, "memory": "64Gi"}}
    container = {"name": "train", "image": "a:1", "resources": resources}
    metadata = {"name": "pretrain"}
    return {"metadata": metadata, "spec": {"containers": [container], **spec}}


def _round(review: Document) -> AdmissionRound:
    before = copy.deepcopy(review)
    done = admission_round(REVIEWER, review)
    assert review == before
    return done


def test_validation_sees_what_mutation_fixed() -> None:
    done = _round(creation_of(_pod(), "training"))
    assert (done.allowed, done.malformed, len(done.answers)) == (True, None, 2)
    assert [(one.finding.rule.value, one.effect) for one in done.outcomes] == [
        ("tolerations", Effect.FIXED),
        ("shared-memory", Effect.FIXED),
    ]
    assert done.document["spec"]["tolerations"][0]["key"] == "nvidia.com/gpu"


def test_as_much_node_affinity_as_a_pod_may_state_is_admitted_with_all_that_rules_add() -> None:
    zone = {"key": "zone", "operator": "Exists"}
    term = {"matchExpressions": [zone] * MAX_EXPRESSIONS}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    pod = _pod(affinity={"nodeAffinity": required})
    labels = {key: value for key, value in POOL.labels.items() if key != "gpuplane.io/pool"}
    pod["metadata"]["annotations"] = labels
    done = _round(creation_of(pod, "research"))
    (affinity,) = done.document["spec"]["affinity"].values()
    (fixed,) = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert done.allowed, list(done.findings)
    assert fixed["matchExpressions"][MAX_EXPRESSIONS:] == [
        {"key": key, "operator": "In", "values": [value]} for key, value in POOL.labels.items()
    ]


def test_a_finding_names_its_field_in_the_review_and_the_pod() -> None:
    done = _round(creation_of(_pod(hostIPC=True), "training"))
    assert not done.allowed
    assert [(each.path, each.sentence.partition(": The ")[0]) for each in done.findings] == [
        ("/request/object/spec/tolerations", "Pod pretrain: fixed tolerations"),
        ("/request/object/spec/hostIPC", "Pod pretrain: denied host-ipc"),
    ]


def test_a_generated_name_is_named_by_its_beginning() -> None:
    pod = _pod(hostIPC=True) | {"metadata": {"generateName": "pretrain-"}}
    *_, last = _round(creation_of(pod, "training")).findings
    assert last.sentence.startswith("Pod pretrain-: denied host-ipc: ")


def test_a_malformed_review_is_not_validated() -> None:
    done = _round({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"})
    assert (done.allowed, len(done.answers), done.document) == (False, 1, None)
    assert done.malformed == (
        "The body is not an admission.k8s.io/v1 AdmissionReview: "
        "Object missing required field `request`"
    )


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_a_review_without_an_object_is_answered(operation: str) -> None:
    review = creation_of(_pod(), "training")
    review["request"] |= {"operation": operation, "object": None}
    done = _round(review)
    assert (done.allowed, done.document) == (True, None)


def test_the_patch_of_an_answer_is_read() -> None:
    body = msgspec.json.encode(creation_of(_pod(hostIPC=True), "training"))
    (toleration, annotation) = patch_of(REVIEWER.review(body, Purpose.MUTATE).body)
    assert (toleration.path, annotation) == (
        "/spec/tolerations",
        Operation("add", "/metadata/annotations", {"gpuplane.io/fixed": "tolerations"}),
    )
    assert patch_of(REVIEWER.review(body, Purpose.VALIDATE).body) == []
