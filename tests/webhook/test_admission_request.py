import json

import pytest
from hypothesis import given, strategies as st

from tests.webhook.pods import UID, body_of, gpu_pod, request_of
from webhook.admission_request import (
    MAX_OBJECT_BYTES,
    Kind,
    MalformedReviewError,
    ObjectTooLargeError,
    UnreadReviewError,
    head_of,
    read_head,
    read_request,
    read_uid,
)
from webhook.gate import MAX_BODY_BYTES, MAX_HEAD_BYTES
from webhook.sanitized_json import MAX_TOKENS

HEAD = "The body is not an admission.k8s.io/v1 AdmissionReview: "


def test_the_object_is_read_raw() -> None:
    pod = gpu_pod(unknownField={"a": [1.5, None, "ü"]})
    assert read_request(body_of(request_of(pod))).object == pod


@pytest.mark.parametrize(
    ("body", "uid", "problem"),
    [
        (b"", "", "Input data was truncated"),
        (b"[]", "", "Expected `object`, got `array`"),
        (b"{]", "", "JSON is malformed: object keys must be strings (byte 1)"),
        (b"[" * 100_000, "", "Expected `object`, got `array`"),
        (b'{"kind": "\\udcff"}', "", "Invalid enum value '\ufffd' - at `$.kind`"),
        (body_of(None), "", "Expected `object`, got `null` - at `$.request`"),
        (body_of(request_of({}, uid="")), "", "Expected `str` of length >= 1 - at `$.request.uid`"),
        (body_of(request_of({}, uid=7)), "", "Expected `str`, got `int` - at `$.request.uid`"),
        (
            body_of(request_of({}, operation="PATCH")),
            UID,
            "Invalid enum value 'PATCH' - at `$.request.operation`",
        ),
        (
            body_of(request_of({}), apiVersion="admission.k8s.io/v1beta1"),
            UID,
            "Invalid enum value 'admission.k8s.io/v1beta1' - at `$.apiVersion`",
        ),
        (b'{"request": NaN}', "", "JSON is malformed: invalid character (byte 12)"),
        (b'{"kind": "\xff"}', "", "Invalid enum value '\ufffd' - at `$.kind`"),
    ],
)
def test_a_malformed_body_is_refused_with_its_uid_where_it_can_be_read(
    body: bytes, uid: str, problem: str
) -> None:
    with pytest.raises(MalformedReviewError) as refused:
        read_request(body)
    assert (read_uid(body), str(refused.value)) == (uid, HEAD + problem)


def test_what_an_object_says_of_its_managers_is_left_out() -> None:
    pod = {"metadata": {"name": "a", "managedFields": [{"fieldsV1": {}}]}}
    request = read_request(body_of(request_of(pod, operation="UPDATE", oldObject=pod)))
    assert request.object == request.old_object == {"metadata": {"name": "a"}}


DEEP = b'{"f:a":' * 9000 + b"{}" + b"}" * 9000


def _review_of(object_: bytes, old: bytes = b"null") -> bytes:
    request = request_of("OBJECT", operation="UPDATE", oldObject="OLD")
    return body_of(request).replace(b'"OBJECT"', object_).replace(b'"OLD"', old)


def test_both_objects_are_read_without_what_lies_too_deep() -> None:
    request = read_request(_review_of(b'{"a": 1, "b": %b}' % DEEP, b'{"c": 2, "d": %b}' % DEEP))
    assert (request.uid, request.object["a"], request.old_object["c"]) == (UID, 1, 2)


@pytest.mark.parametrize("object_", [b"[" * 100_000, DEEP[:-1], b"}", b"\xff\x00", b'"\\', b""])
def test_the_head_is_read_whatever_follows_it(object_: bytes) -> None:
    body = _review_of(b"").partition(b'"object": ')[0] + b'"object": ' + object_
    with pytest.raises(UnreadReviewError):
        read_request(body)
    head = read_head(body)
    assert head is not None
    assert (head.uid, head.kind, head.operation, head.namespace, head.object) == (
        UID,
        Kind("Pod"),
        "UPDATE",
        "training",
        None,
    )


def test_a_uid_behind_the_object_is_read_too() -> None:
    body = b'{"request": {"object": {}, "uid": "%b"}}' % UID.encode()
    assert read_head(body) is None
    assert read_uid(body) == UID


def test_what_takes_too_long_to_read_is_refused() -> None:
    body = _review_of(b'{"a": %b, "b": [%b{}]}' % (DEEP, b"{}," * MAX_TOKENS))
    with pytest.raises(UnreadReviewError) as refused:
        read_request(body)
    assert str(refused.value) == (
        "The review cannot be read: it is nested too deeply, and it has more than 100000 brackets "
        "and numbers. Leave metadata.managedFields out."
    )


def _of_length(length: int) -> bytes:
    return b'{"a": "%b"}' % (b"<" * (length - 9))


def test_an_object_is_read_up_to_a_length_at_which_two_of_it_are_one_review() -> None:
    longest = _of_length(MAX_OBJECT_BYTES)
    update = _review_of(longest, longest)
    assert len(update) < MAX_BODY_BYTES
    assert read_request(update).object == read_request(update).old_object
    with pytest.raises(ObjectTooLargeError):
        read_request(_review_of(_of_length(MAX_OBJECT_BYTES + 1)))


def test_an_object_that_was_too_large_can_be_made_smaller() -> None:
    assert read_request(_review_of(b"{}", _of_length(MAX_OBJECT_BYTES + 1))).object == {}


KIND = {"group": "", "version": "v1", "kind": "Pod"}
RESOURCE = {"group": "", "version": "v1", "resource": "pods"}
REQUEST = {
    "uid": "1",
    "kind": KIND,
    "resource": RESOURCE,
    "requestKind": KIND,
    "requestResource": RESOURCE,
    "name": "object",
    "namespace": "userInfo",
    "operation": "CREATE",
}
REVIEW = {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": REQUEST}
"""As the API server begins it."""
BEGINNING = json.dumps(REVIEW, separators=(",", ":")).encode().removesuffix(b"}}")


@pytest.mark.parametrize("member", ["userInfo", "object", "oldObject", "dryRun", "options"])
@given(st.binary())
def test_the_head_ends_where_what_is_long_begins(member: str, rest: bytes) -> None:
    body = b'%b,"%b":%b' % (BEGINNING, member.encode(), rest)
    assert head_of(body) == BEGINNING + b"}}"


def test_the_head_may_be_all() -> None:
    assert json.loads(head_of(json.dumps(REVIEW, indent=2).encode())) == REVIEW


def test_a_head_that_is_cut_off_ends_with_its_last_whole_member() -> None:
    cut = BEGINNING[: BEGINNING.index(b"CREATE")]
    whole = {key: value for key, value in REQUEST.items() if key != "operation"}
    assert json.loads(head_of(cut)) == {**REVIEW, "request": whole}


def test_no_more_is_looked_at_than_a_head_may_be_long() -> None:
    beginning = b'{"request":{"uid":"1","name":"%b"' % (b"a" * MAX_HEAD_BYTES)
    assert head_of(beginning + b"}}") == b'{"request":{"uid":"1"}}'


@given(st.binary() | st.text(alphabet='{}[],:" ua').map(str.encode))
def test_whatever_a_body_is_its_head_is_no_longer(body: bytes) -> None:
    assert len(head_of(body)) <= len(body) + 2
