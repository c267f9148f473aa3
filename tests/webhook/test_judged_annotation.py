"""The annotation by which the webhook says that nothing is wrong with a new pod."""

import datetime as dt
import json
from typing import Any

import pytest
from msgspec import structs

from gpus.platform_names import FIXED, JUDGED
from policies.admission import MAX_WARNING_LENGTH
from policies.document import Document
from policies.fix import MAX_ANNOTATIONS_SIZE
from policies.in_cel.judged_annotation import judged_by
from policies.operation import Operation, apply, copied
from policies.pod import Pod
from policies.rule_name import Mode
from tests.webhook.pods import SETTINGS, UID, body_of, gpu_pod, request_of
from webhook import reviewer as reviewer_module
from webhook.admission_round import patch_of
from webhook.reviewer import Purpose, Reviewer, judged_annotation

TODAY = dt.date(2026, 11, 21)
REVIEWER = Reviewer(SETTINGS, lambda: TODAY)
NAME = "6a7c"
PATH = "/metadata/annotations/gpuplane.io~1judged"
ADDED = Operation("add", PATH, NAME)
REMOVED = Operation("remove", PATH)


@pytest.mark.parametrize(
    ("annotations", "name", "operations"),
    [
        ({}, NAME, (ADDED,)),
        ({JUDGED: "of others"}, NAME, (ADDED,)),
        ({JUDGED: NAME}, NAME, ()),
        ({"a": "x" * MAX_ANNOTATIONS_SIZE}, NAME, ()),
        ({}, None, ()),
        ({JUDGED: NAME}, None, (REMOVED,)),
        ({JUDGED: 1}, None, (REMOVED,)),
    ],
    ids=["new", "of others", "there", "no room", "wrong", "no longer", "not a string"],
)
def test_it_is_on_a_pod_that_nothing_is_wrong_with(
    annotations: Document, name: str | None, operations: tuple[Operation, ...]
) -> None:
    pod = Pod({"metadata": {"annotations": annotations}}, lambda _: False)
    assert judged_annotation(pod, name) == operations


def _admitted(pod: Document, reviewer: Reviewer = REVIEWER, **changes: Any) -> Document:
    """Return a pod as it is after `/admit`."""
    answer = reviewer.review(body_of(request_of(pod, **changes)), Purpose.ADMIT)
    after: Document = copied(pod)
    apply(after, patch_of(answer.body))
    return after


def _annotations(pod: Document) -> Any:
    return pod["metadata"].get("annotations")


def test_a_pod_that_is_right_once_it_is_fixed_has_it() -> None:
    admitted = _admitted(gpu_pod())
    expected = {FIXED: "tolerations,shared-memory", JUDGED: judged_by(SETTINGS)}
    assert _annotations(admitted) == expected
    assert _admitted(admitted) == admitted


def test_a_pod_in_which_another_webhook_breaks_a_rule_later_loses_it() -> None:
    admitted = _admitted(gpu_pod())
    admitted["spec"]["hostIPC"] = True
    assert _annotations(_admitted(admitted)) == {FIXED: "tolerations,shared-memory"}


@pytest.mark.parametrize(
    ("pod", "changes"),
    [
        (gpu_pod(hostIPC=True), {}),
        (gpu_pod(nodeSelector={"kubernetes.io/os": "windows"}), {}),
        (gpu_pod(), {"namespace": "kube-system"}),
        (gpu_pod(), {"operation": "UPDATE", "oldObject": gpu_pod()}),
        (gpu_pod(), {"operation": "DELETE"}),
    ],
    ids=["wrong", "for windows", "exempt", "updated", "deleted"],
)
def test_no_other_pod_has_it(pod: Document, changes: Document) -> None:
    assert JUDGED not in (_annotations(_admitted(pod, **changes)) or {})


def test_what_vouches_for_nothing_does_not_write_out_the_rules_in_cel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reviewer_module, "judged_by", None)
    reviewer, body = Reviewer(SETTINGS, lambda: TODAY), body_of(request_of(gpu_pod()))
    answers = [reviewer.review(body, each) for each in (Purpose.MUTATE, Purpose.VALIDATE)]
    assert [answer.failure for answer in answers] == [None, None]


UNTOLERATED = (
    "The pod does not tolerate the taint nvidia.com/gpu=present:NoSchedule of nodes that offer "
    "nvidia.com/gpu."
)


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        (
            Mode.WARN,
            {
                "warnings": [f"tolerations: {UNTOLERATED}"[: MAX_WARNING_LENGTH - 3] + "..."],
                "auditAnnotations": {"tolerations": f"warned: {UNTOLERATED}"},
            },
        ),
        (Mode.AUDIT, {"auditAnnotations": {"tolerations": f"audited: {UNTOLERATED}"}}),
    ],
)
def test_a_fix_that_is_not_made_since_its_rule_is_not_enforced_is_told(
    mode: Mode, told: Document
) -> None:
    reviewer = Reviewer(structs.replace(SETTINGS, mode=mode), lambda: TODAY)
    answer = reviewer.review(body_of(request_of(gpu_pod(hostIPC=True))), Purpose.ADMIT)
    assert json.loads(answer.body)["response"] == {"uid": UID, "allowed": True, **told}
