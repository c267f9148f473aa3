import base64
import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonpatch
import msgspec
import pytest
from hypothesis import given, strategies as st

from policies.document import Document
from policies.engine import Engine
from policies.finding import Finding
from policies.operation import copied
from policies.rule_name import Mode, RuleName
from policies.rules import host_ipc
from policies.settings import JobKind, NamespaceSettings, QueuePriority, Settings
from tests.webhook.pods import SETTINGS, UID, body_of, gpu_pod, request_of
from webhook.admission_answer import MAX_MESSAGE_LENGTH, MAX_TOTAL_WARNING_LENGTH
from webhook.admission_request import MAX_OBJECT_BYTES
from webhook.reviewer import Purpose, Reviewer

REVIEWER = Reviewer(SETTINGS, lambda: dt.date(2026, 11, 21))
ALLOWED = {"uid": UID, "allowed": True}
HEAD = body_of(request_of(None)).partition(b"null")[0]
"""A review up to its object."""
NO_REVIEW = "The body is not an admission.k8s.io/v1 AdmissionReview"
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)

depths = st.integers(1, 100) | st.sampled_from([500, 900, 967, 9000])
raw_values = st.one_of(
    json_values.map(lambda value: json.dumps(value).encode()),
    depths.map(lambda depth: b"[" * depth + b"]" * depth),
    depths.map(lambda depth: b'{"f:a":' * depth + b"{}" + b"}" * depth),
    st.sampled_from([rb'"\ud800"', b'"\xff\xfe"', b"1e999", b"-" + b"9" * 5000, b"1e-400"]),
)
"""JSON as Go takes it."""
unread_places = st.sampled_from(
    [
        ("metadata", "managedFields"),
        ("metadata", "unknown"),
        ("metadata", "finalizers"),
        ("spec", "unknown"),
        ("spec", "containers", 0, "unknown"),
        ("spec", "containers", 0, "lifecycle"),
        ("status",),
        ("unknown",),
    ]
)
judged_pods = st.sampled_from(
    [
        gpu_pod(),
        gpu_pod(hostIPC=True),
        gpu_pod(tolerations=[{"key": "nvidia.com/gpu", "operator": "Exists"}]),
        gpu_pod(containers=[]),
    ]
)


def _with_unread(pod: Document, place: tuple[Any, ...]) -> Document:
    pod = copied(pod)
    here: Any = pod
    for name in place[:-1]:
        if here == []:
            return pod
        here = here[name]
    here[place[-1]] = "UNREAD"
    return pod


def _filled(request: Document, *values: bytes) -> bytes:
    body = body_of(request)
    for value in values:
        body = body.replace(b'"UNREAD"', value, 1)
    return body


def _response(purpose: Purpose, request: Any, reviewer: Reviewer = REVIEWER) -> Document:
    review = json.loads(reviewer.review(body_of(request), purpose).body)
    assert (review["apiVersion"], review["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
    return dict(review["response"])


def _answered(purpose: Purpose, body: bytes, reviewer: Reviewer = REVIEWER) -> tuple[int, Document]:
    answer = reviewer.review(body, purpose)
    return answer.http_status, json.loads(answer.body)["response"]


def _patch(response: Document) -> Any:
    return json.loads(base64.b64decode(response["patch"]))


def test_mutation_answers_with_a_patch_that_applies_and_validation_then_allows_the_pod() -> None:
    pod = gpu_pod(unknownField=1)
    response = _response(Purpose.MUTATE, request_of(pod))
    assert (response["uid"], response["allowed"], response["patchType"]) == (UID, True, "JSONPatch")
    patched = jsonpatch.apply_patch(pod, _patch(response))
    assert patched["spec"]["unknownField"] == 1
    assert patched["metadata"]["annotations"] == {"gpuplane.io/fixed": "tolerations,shared-memory"}
    assert _response(Purpose.MUTATE, request_of(patched)) == ALLOWED
    assert _response(Purpose.VALIDATE, request_of(patched)) == ALLOWED


def test_mutation_reports_fixes_in_audit_annotations_and_warns_of_none() -> None:
    response = _response(Purpose.MUTATE, request_of(gpu_pod()))
    assert set(response["auditAnnotations"]) == {"tolerations", "shared-memory"}
    assert set(response) == {"uid", "allowed", "patchType", "patch", "auditAnnotations"}


def test_mutation_lets_pass_what_validation_denies() -> None:
    request = request_of(gpu_pod(hostIPC=True))
    assert _response(Purpose.MUTATE, request)["allowed"] is True
    denied = _response(Purpose.VALIDATE, request)
    assert (denied["allowed"], denied["status"]["code"]) == (False, 403)
    assert denied["status"]["reason"] == "Forbidden"
    assert denied["status"]["message"].startswith("host-ipc: The pod ")


def test_a_denial_gives_no_orders_to_a_terminal() -> None:
    named = gpu_pod()["spec"]["containers"][0] | {"name": "a\x1b]0;\x07\u202e", "image": "a\r\n"}
    message = _response(Purpose.VALIDATE, request_of(gpu_pod(containers=[named])))["status"]
    assert message["message"] == (
        "image-tag: The container a\\x1b]0;\\x07\\xe2\\x80\\xae runs a\\x0d\\x0a with no tag, "
        "which can be another image tomorrow. Name a version or a digest."
    )
    refused = json.loads(REVIEWER.review(body_of(1, kind="\x1b[2J"), Purpose.VALIDATE).body)
    assert refused["response"]["status"]["message"] == (
        "The body is not an admission.k8s.io/v1 AdmissionReview: Invalid enum value "
        "'\\x1b[2J' - at `$.kind`"
    )


def test_who_asks_is_judged_too() -> None:
    static = gpu_pod(nodeName="gpu-0", hostIPC=True)
    static["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "a"}
    users: list[Document] = [{"username": "a", "groups": ["system:nodes"]}, {"username": "a"}, {}]
    answers = [_response(Purpose.VALIDATE, request_of(static, userInfo=user)) for user in users]
    assert [answer["allowed"] for answer in answers] == [True, False, False]


def test_validation_never_patches() -> None:
    assert not {"patch", "patchType"} & set(_response(Purpose.VALIDATE, request_of(gpu_pod())))


def test_a_denial_is_http_200() -> None:
    answer = REVIEWER.review(body_of(request_of(gpu_pod(hostIPC=True))), Purpose.VALIDATE)
    assert (answer.code, answer.http_status, answer.decision) == (403, 200, "denied")


def test_warnings_and_denials_stay_within_their_limits() -> None:
    unlimited = {"resources": {"limits": {"nvidia.com/gpu": "1"}}, "image": "a:latest"}
    containers = [{"name": f"train-{n}\n", **unlimited} for n in range(256)]
    response = _response(Purpose.VALIDATE, request_of(gpu_pod(containers=containers)))
    assert all(len(warning) < 120 and warning.isprintable() for warning in response["warnings"])
    assert 0 < sum(map(len, response["warnings"])) <= MAX_TOTAL_WARNING_LENGTH
    assert len(response["warnings"]) == len(set(response["warnings"]))
    assert len(response["status"]["message"]) == MAX_MESSAGE_LENGTH


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
@pytest.mark.parametrize("purpose", Purpose)
def test_deletions_and_connections_are_allowed_without_an_object(
    operation: str, purpose: Purpose
) -> None:
    assert _response(purpose, request_of(None, operation=operation)) == ALLOWED


@pytest.mark.parametrize(
    "kind",
    [
        {"group": "apps", "version": "v1", "kind": "Deployment"},
        {"group": "", "version": "v1", "kind": "Binding"},
        {"group": "example.com", "version": "v1", "kind": "Pod"},
    ],
)
@pytest.mark.parametrize("purpose", Purpose)
def test_only_pods_are_judged(kind: Document, purpose: Purpose) -> None:
    workload = {"spec": {"template": gpu_pod(hostIPC=True)}}
    assert _response(purpose, request_of(workload, kind=kind)) == ALLOWED


LABEL = "kueue.x-k8s.io/priority-class"
QUEUED = msgspec.structs.replace(
    SETTINGS,
    queue_priority=QueuePriority(
        ("metadata", "labels", LABEL), (JobKind("batch", "Job"),), reads_templates=True
    ),
    namespaces={
        "training": NamespaceSettings("research", "training", default_priority="training"),
        "tried": NamespaceSettings(
            "research",
            "training",
            default_priority="training",
            modes={RuleName.PRIORITY_CLASS: Mode.WARN},
        ),
    },
)


@pytest.mark.parametrize(
    ("kind", "namespace", "purpose", "is_named"),
    [
        ("Job", "training", Purpose.MUTATE, True),
        ("Job", "training", Purpose.ADMIT, True),
        ("Job", "training", Purpose.VALIDATE, False),
        ("Job", "tried", Purpose.MUTATE, False),
        ("Job", "of nobody", Purpose.MUTATE, False),
        ("CronJob", "training", Purpose.MUTATE, False),
    ],
)
def test_a_job_in_a_queue_gets_the_class_of_its_pods(
    kind: str, namespace: str, purpose: Purpose, is_named: bool
) -> None:
    job: Document = {"metadata": {"name": "pretrain"}, "spec": {"template": gpu_pod()}}
    group = {"group": "batch", "version": "v1", "kind": kind}
    reviewer = Reviewer(QUEUED, lambda: dt.date(2026, 11, 21))
    response = _response(purpose, request_of(job, kind=group, namespace=namespace), reviewer)
    patch = [{"op": "add", "path": "/metadata/labels", "value": {LABEL: "training"}}]
    assert (_patch(response) if "patch" in response else []) == (patch if is_named else [])


LATE = {"op": "add", "path": "/spec/podReplacementPolicy", "value": "Failed"}


@pytest.mark.parametrize(
    ("kind", "namespace", "purpose", "paths"),
    [
        ("Job", "training", Purpose.MUTATE, ["/metadata/labels", "/spec/podReplacementPolicy"]),
        ("Job", "tried", Purpose.MUTATE, ["/spec/podReplacementPolicy"]),
        ("Job", "training", Purpose.VALIDATE, []),
        ("CronJob", "training", Purpose.MUTATE, []),
    ],
)
def test_a_job_that_is_counted_by_what_it_states_replaces_no_pod_that_has_not_ended(
    kind: str, namespace: str, purpose: Purpose, paths: list[str]
) -> None:
    spec = {"template": gpu_pod(), "podReplacementPolicy": "TerminatingOrFailed"}
    job: Document = {"metadata": {"name": "pretrain"}, "spec": spec}
    group = {"group": "batch", "version": "v1", "kind": kind}
    counted = msgspec.structs.replace(QUEUED, replaces_ended_only=True)
    reviewer = Reviewer(counted, lambda: dt.date(2026, 11, 21))
    response = _response(purpose, request_of(job, kind=group, namespace=namespace), reviewer)
    patch = _patch(response) if "patch" in response else []
    assert [each["path"] for each in patch] == paths
    assert [each for each in patch if each["path"] == LATE["path"]] == [LATE] * (
        LATE["path"] in paths
    )


def test_a_resize_is_never_patched() -> None:
    request = request_of(gpu_pod(), subResource="resize", operation="UPDATE", oldObject=gpu_pod())
    assert "patch" not in _response(Purpose.MUTATE, request)


def test_of_a_pod_that_gets_ephemeral_containers_only_these_are_patched() -> None:
    debugged = gpu_pod(ephemeralContainers=[{"name": "debugger", "image": "cuda:13.0.1"}])
    request = request_of(
        debugged, subResource="ephemeralcontainers", operation="UPDATE", oldObject=gpu_pod()
    )
    void = [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]
    assert _patch(_response(Purpose.MUTATE, request)) == [
        {"op": "add", "path": "/spec/ephemeralContainers/0/env", "value": void}
    ]


def test_an_update_is_patched_only_where_the_api_lets_it_change() -> None:
    request = request_of(gpu_pod(), operation="UPDATE", oldObject=gpu_pod())
    paths = {operation["path"] for operation in _patch(_response(Purpose.MUTATE, request))}
    assert paths == {"/spec/tolerations", "/metadata/annotations"}


def test_an_update_is_not_denied_for_what_it_leaves_as_it_was() -> None:
    pod = gpu_pod(hostIPC=True)
    request = request_of(pod, operation="UPDATE", oldObject=pod)
    assert _response(Purpose.VALIDATE, request)["allowed"] is True


def test_the_namespace_of_the_request_counts_where_the_pod_names_none() -> None:
    assert _response(Purpose.MUTATE, request_of(gpu_pod(), namespace="kube-system")) == ALLOWED


def test_a_pod_that_is_not_an_object_is_malformed() -> None:
    response = _response(Purpose.VALIDATE, request_of([]))
    message = "request.object of a CREATE must be an object."
    status = {"code": 400, "reason": "BadRequest", "message": message}
    assert response == {"uid": UID, "allowed": False, "status": status}


def test_a_rule_that_crashes_lets_the_pod_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> Iterator[Finding]:
        raise RuntimeError("secret")

    broken = Reviewer(SETTINGS)
    engine = Engine(SETTINGS, (replace(host_ipc.RULE, evaluate=crash),))
    monkeypatch.setattr(broken, "_judging", engine)
    response = _response(Purpose.VALIDATE, request_of(gpu_pod()), broken)
    assert response["allowed"] is True
    assert response["auditAnnotations"]["host-ipc"].startswith("failed: The rule failed with Runt")


def test_a_fault_of_the_webhook_is_an_answer_that_fails_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(Engine, "admit", crash)
    answer = REVIEWER.review(body_of(request_of(gpu_pod())), Purpose.MUTATE)
    assert (answer.http_status, json.loads(answer.body)["response"]) == (
        500,
        {
            "uid": UID,
            "allowed": False,
            "status": {
                "code": 500,
                "reason": "InternalServerError",
                "message": "The webhook failed with RuntimeError.",
            },
        },
    )


def test_settings_without_pools_allow_everything_that_asks_for_no_gpu() -> None:
    pod = {"spec": {"containers": [{"name": "web", "image": "a:1"}]}}
    assert _response(Purpose.VALIDATE, request_of(pod), Reviewer(Settings("t"))) == ALLOWED


@given(json_values)
def test_whatever_a_request_is_its_answer_is_a_review(request: Any) -> None:
    for purpose in Purpose:
        assert _response(purpose, request)["status"]["code"] == 400


@given(json_values, json_values)
def test_whatever_a_pod_is_its_patch_applies(metadata: Any, spec: Any) -> None:
    pod = {"metadata": metadata, "spec": spec}
    for operation in ("CREATE", "UPDATE"):
        request = request_of(pod, operation=operation, oldObject=spec)
        assert _response(Purpose.VALIDATE, request)["uid"] == UID
        response = _response(Purpose.MUTATE, request)
        assert response["allowed"] is True
        if "patch" in response:
            jsonpatch.apply_patch(pod, _patch(response))


@given(judged_pods, unread_places, raw_values, unread_places, raw_values)
def test_what_no_rule_reads_changes_no_decision(
    pod: Document, place: tuple[Any, ...], value: bytes, old_place: tuple[Any, ...], old: bytes
) -> None:
    new, before = _with_unread(pod, place), _with_unread(gpu_pod(), old_place)
    for request in (request_of(new), request_of(new, operation="UPDATE", oldObject=before)):
        for purpose in Purpose:
            answer = REVIEWER.review(_filled(request, value, old), purpose)
            assert answer.body == REVIEWER.review(_filled(request, b"0", b"0"), purpose).body


@given(st.binary() | raw_values)
def test_whatever_follows_a_head_its_answer_has_the_uid(rest: bytes) -> None:
    for beginning in (HEAD, HEAD + b'{"spec": {"containers": '):
        for purpose in Purpose:
            answer = REVIEWER.review(beginning + rest, purpose)
            assert (answer.http_status, json.loads(answer.body)["response"]["uid"]) == (200, UID)


def test_validation_denies_what_cannot_be_read_and_mutation_admits_it() -> None:
    status = {"code": 400, "reason": "BadRequest"}
    message = f"{NO_REVIEW}: Input data was truncated"
    denied = {"uid": UID, "allowed": False, "status": {**status, "message": message}}
    assert _answered(Purpose.VALIDATE, HEAD + b"{") == (200, denied)
    assert _answered(Purpose.MUTATE, HEAD + b"{") == (200, ALLOWED)


def test_a_new_pod_that_may_have_been_vouched_for_is_denied_where_it_cannot_be_read() -> None:
    denied = _answered(Purpose.VALIDATE, HEAD + b"{")
    assert _answered(Purpose.ADMIT, HEAD + b"{") == denied
    updated = HEAD.replace(b'"CREATE"', b'"UPDATE"')
    assert _answered(Purpose.ADMIT, updated + b"{") == (200, ALLOWED)


@pytest.mark.parametrize(
    "changes",
    [
        {"mode": Mode.WARN},
        {"mode": Mode.AUDIT},
        {"mode": Mode.OFF},
        {"exempt_namespaces": ("training",)},
    ],
)
def test_what_cannot_be_read_is_admitted_where_no_rule_is_enforced(changes: Document) -> None:
    reviewer = Reviewer(msgspec.structs.replace(SETTINGS, **changes))
    assert _answered(Purpose.VALIDATE, HEAD + b"{", reviewer) == (200, ALLOWED)


def test_what_cannot_be_read_is_admitted_where_it_is_no_pod() -> None:
    binding = HEAD.replace(b'"kind": "Pod"', b'"kind": "Binding"')
    assert _answered(Purpose.VALIDATE, binding + b"{") == (200, ALLOWED)


def test_an_object_that_is_too_large_is_denied() -> None:
    pod = gpu_pod(unknown="<" * MAX_OBJECT_BYTES)
    status, response = _answered(Purpose.VALIDATE, body_of(request_of(pod)))
    assert (status, response["uid"], response["status"]) == (
        200,
        UID,
        {
            "code": 413,
            "reason": "RequestEntityTooLarge",
            "message": "The object is larger than 3145728 bytes in JSON, where <, > and & take six "
            "each. Make it smaller.",
        },
    )
