from __future__ import annotations

import pytest

from tests.webhook.pods import UID, body_of, gpu_pod, request_of
from webhook.admission_request import MalformedReviewError, read_request

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
        (b'{"kind": "\\udcff"}', "", "JSON is malformed: invalid utf-16 surrogate pair (byte 16)"),
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
        (b'{"kind": "\xff"}', "", "it is not UTF-8"),
    ],
)
def test_a_malformed_body_is_refused_with_its_uid_where_it_can_be_read(
    body: bytes, uid: str, problem: str
) -> None:
    with pytest.raises(MalformedReviewError) as refused:
        read_request(body)
    assert (refused.value.uid, str(refused.value)) == (uid, HEAD + problem)


def test_a_pod_nested_too_deeply_is_refused() -> None:
    nested = body_of(request_of("HERE")).replace(b'"HERE"', b"[" * 100_000 + b"]" * 100_000)
    with pytest.raises(MalformedReviewError, match="it is nested too deeply"):
        read_request(nested)
