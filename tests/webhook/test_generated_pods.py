"""Whatever a pod is, mutation, validation and `gpuplane admit` agree on it, and nothing fails.

With the settings of every example cluster, over the bytes that an API server would send.
"""

import datetime as dt
import json
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from typing import Any

import jsonpatch
from hypothesis import given, settings as examples, strategies as st

from gpus.platform_names import JUDGED
from policies.admission import Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.in_cel.judged_annotation import judged_by
from policies.manifest_admission import admit_pod
from policies.operation import Operation, copied
from policies.pod import Pod
from policies.rule_name import Mode
from policies.settings import Settings
from tests.namespace_settings import namespace_settings
from tests.policies.generated_pods import PODS, WRITTEN_PODS
from tests.webhook.pods import body_of, request_of
from webhook.admission_answer import Answer
from webhook.admission_round import patch_of
from webhook.reviewer import Purpose, Reviewer, judged_annotation

TODAY = dt.date(2026, 11, 21)
NAMESPACES = st.sampled_from([*sorted(namespace_settings()), "foreign"])
SUBRESOURCES = st.sampled_from(["", "resize", "ephemeralcontainers"])
CODES = {HTTPStatus.OK, HTTPStatus.FORBIDDEN}

_twice = examples(max_examples=2 * examples().max_examples)
"""Twice as many inputs as other properties have, here and in `make fuzz`."""


def _settings(namespace: str) -> Settings:
    return namespace_settings().get(namespace) or next(iter(namespace_settings().values()))


@cache
def _engine(namespace: str) -> Engine:
    return Engine(_settings(namespace))


@cache
def _reviewer(namespace: str) -> Reviewer:
    return Reviewer(_settings(namespace), lambda: TODAY)


def _answer(purpose: Purpose, pod: Document, namespace: str, **changes: Any) -> Answer:
    request = request_of(pod, namespace=namespace, **changes)
    answer = _reviewer(namespace).review(body_of(request), purpose)
    assert [each for each in answer.outcomes if each.effect is Effect.FAILED] == []
    return answer


def _patched(pod: Document, answer: Answer) -> Document:
    """Apply the patch of an answer as the API server does, by code that is not ours."""
    assert answer.code == HTTPStatus.OK
    return _applied(pod, patch_of(answer.body))


def _applied(pod: Document, operations: Iterable[Operation]) -> Document:
    patch = [operation.to_json() for operation in operations]
    patched: Document = jsonpatch.apply_patch(json.loads(json.dumps(pod)), patch)
    return patched


@_twice
@given(pod=PODS | WRITTEN_PODS, namespace=NAMESPACES)
def test_a_new_pod_is_fixed_once_and_validation_finds_nothing_left_to_fix(
    pod: Document, namespace: str
) -> None:
    fixed = _patched(pod, _answer(Purpose.MUTATE, pod, namespace))
    assert _patched(fixed, _answer(Purpose.MUTATE, fixed, namespace)) == fixed
    validation = _answer(Purpose.VALIDATE, fixed, namespace)
    assert validation.code in CODES
    enforced = [each for each in validation.outcomes if each.mode is Mode.ENFORCE]
    assert [each.finding for each in enforced if each.finding.fix] == []
    decided = admit_pod(_engine(namespace), copied(pod), Review(namespace, TODAY))
    assert (decided.document, decided.allowed) == (fixed, validation.code == HTTPStatus.OK)


@given(pod=PODS | WRITTEN_PODS, namespace=NAMESPACES)
def test_a_new_pod_is_annotated_as_judged_if_nothing_is_found_in_it_once_it_is_fixed(
    pod: Document, namespace: str
) -> None:
    fixed = _patched(pod, _answer(Purpose.MUTATE, pod, namespace))
    admitted = _patched(pod, _answer(Purpose.ADMIT, pod, namespace))
    assert _patched(admitted, _answer(Purpose.ADMIT, admitted, namespace)) == admitted
    found = _answer(Purpose.VALIDATE, fixed, namespace).outcomes
    judged = Pod(admitted, lambda _: False).annotations.get(JUDGED)
    if found:
        assert (admitted, judged) == (fixed, None)
    elif judged is not None:
        assert judged == judged_by(_settings(namespace))
        operations = judged_annotation(Pod(fixed, lambda _: False), judged)
        assert _applied(fixed, operations) == admitted


@given(old=PODS, new=PODS | WRITTEN_PODS, namespace=NAMESPACES, subresource=SUBRESOURCES)
def test_whatever_an_update_changes_its_patch_applies(
    old: Document, new: Document, namespace: str, subresource: str
) -> None:
    if type(new.get("metadata")) is not dict:
        new = {**new, "metadata": {"name": "pod"}}  # a pod that is there has some
    changes = {"operation": "UPDATE", "oldObject": old, "subResource": subresource}
    fixed = _patched(new, _answer(Purpose.MUTATE, new, namespace, **changes))
    assert _patched(fixed, _answer(Purpose.MUTATE, fixed, namespace, **changes)) == fixed
    assert _answer(Purpose.VALIDATE, fixed, namespace, **changes).code in CODES


@given(pod=PODS | WRITTEN_PODS, namespace=NAMESPACES, subresource=SUBRESOURCES)
def test_an_update_that_changes_nothing_is_never_denied(
    pod: Document, namespace: str, subresource: str
) -> None:
    changes = {"operation": "UPDATE", "oldObject": pod, "subResource": subresource}
    assert _answer(Purpose.VALIDATE, pod, namespace, **changes).code == HTTPStatus.OK
