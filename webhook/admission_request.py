"""Reads what the API server asks.

https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#request
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Annotated, Literal

import msgspec

from policies.document import Json  # noqa: TC001 # msgspec reads it
from webhook.gate import MAX_HEAD_BYTES
from webhook.sanitized_json import TooManyTokensError, sanitized

API_VERSION = "admission.k8s.io/v1"
KIND = "AdmissionReview"
MAX_OBJECT_BYTES = 3 * 2**20
"""Bytes of one object in the JSON that the API server writes. As much is admitted of a request to
it (`MaxRequestBodyBytes` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/server/config.go),
but what it writes can be longer: it adds defaults, and escapes <, > and & by six characters each
(`HTMLEscape` in https://pkg.go.dev/encoding/json)."""
_TOKEN = re.compile(rb'\s*+([{}\[\],:]|"(?:[^"\\]++|\\.)*+"|[^\s{}\[\],:"]++)', re.DOTALL)
_NOT_OF_HEAD = frozenset({b'"userInfo"', b'"object"', b'"oldObject"', b'"dryRun"', b'"options"'})
_IN_REQUEST = 2
"""How deep the members of a request lie."""
_STEPS = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_BEFORE_NAME = (b"{", b",")
_AFTER_VALUE = (b"}", b",")


class UnreadReviewError(ValueError):
    """Why a review cannot be read; its head may be legible."""

    status = HTTPStatus.BAD_REQUEST


class MalformedReviewError(UnreadReviewError):
    """Why a body is not a review."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"The body is not an {API_VERSION} {KIND}: {problem}")


class ObjectTooLargeError(UnreadReviewError):
    """The object is longer than `MAX_OBJECT_BYTES`."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def __init__(self) -> None:
        super().__init__(
            f"The object is larger than {MAX_OBJECT_BYTES} bytes in JSON, where <, > and & take "
            "six each. Make it smaller."
        )


class Kind(msgspec.Struct, frozen=True):
    kind: str
    group: str = ""
    """Empty for the core group."""


class UserInfo(msgspec.Struct, frozen=True):
    username: str = ""
    groups: tuple[str, ...] = ()


class AdmissionRequest(msgspec.Struct, rename="camel"):
    """What the API server asks; fields that no answer depends on are not decoded."""

    uid: Annotated[str, msgspec.Meta(min_length=1)]
    kind: Kind
    operation: Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]
    namespace: str = ""
    name: str = ""
    """Empty where the API server has yet to generate it."""
    sub_resource: str = ""
    """Such as `resize`; empty for the object itself."""
    user_info: UserInfo = UserInfo()
    object: Json = None
    """Raw, so that no unknown field is lost; None where there is none, as in a DELETE. Only
    `metadata.managedFields` is left out, which nobody reads and may be nested very deeply."""
    old_object: Json = None
    """The object before an update, read in the same way."""


class _AdmissionReview(msgspec.Struct, rename="camel"):
    api_version: Literal["admission.k8s.io/v1"]
    kind: Literal["AdmissionReview"]
    request: AdmissionRequest


class _Uid(msgspec.Struct):
    uid: str


class _Identified(msgspec.Struct):
    request: _Uid


class _Object(msgspec.Struct):
    object: msgspec.Raw = msgspec.Raw()


class _WithObject(msgspec.Struct):
    request: _Object


_DECODER = msgspec.json.Decoder(_AdmissionReview)
_UIDS = msgspec.json.Decoder(_Identified)
_OBJECTS = msgspec.json.Decoder(_WithObject)


def read_request(body: bytes | bytearray) -> AdmissionRequest:
    """Decode a review.

    Raises MalformedReviewError, which says what is wrong and where, ObjectTooLargeError, and
    UnreadReviewError for valid JSON that takes too long to read.
    """
    try:
        request = _DECODER.decode(body).request
    except (ValueError, RecursionError) as error:
        body = _sanitized(body, _problem(error))
        try:
            request = _DECODER.decode(body).request
        except ValueError as still:
            raise MalformedReviewError(_problem(still)) from None
    # The object of a shorter body is shorter, too, and not measured.
    if len(body) > MAX_OBJECT_BYTES < len(_OBJECTS.decode(body).request.object):
        raise ObjectTooLargeError
    for document in (request.object, request.old_object):
        metadata = document.get("metadata") if type(document) is dict else None
        if type(metadata) is dict:
            metadata.pop("managedFields", None)
    return request


def read_head(body: bytes | bytearray) -> AdmissionRequest | None:
    """Decode the head of a review, whatever follows it; None where it has none."""
    try:
        return _DECODER.decode(head_of(body)).request
    except (ValueError, RecursionError):
        return None


def read_uid(body: bytes | bytearray) -> str:
    """Return the uid of what is otherwise no review, so that its answer is recognised.

    Empty where there is none.
    """
    for text in (head_of(body), body):
        try:
            return _UIDS.decode(text).request.uid
        except (ValueError, RecursionError):
            continue
    return ""


def head_of(body: bytes | bytearray) -> bytes:
    """Return the head of a review as a review of its own, without an object.

    For other input the result is meaningless. It is no longer than `MAX_HEAD_BYTES`.
    """
    head = bytes(body[:MAX_HEAD_BYTES])
    depth = end = position = 0
    before = b""
    for token in _TOKEN.finditer(head):
        text = token[1]
        if token.start() != position or (before in _BEFORE_NAME and text in _NOT_OF_HEAD):
            break
        position, before = token.end(), text
        if depth == _IN_REQUEST and text in _AFTER_VALUE:
            end = token.start()
        depth += _STEPS.get(text, 0)
        if end and depth < _IN_REQUEST:
            break
    return head[:end] + b"}}"


def _sanitized(body: bytes | bytearray, problem: str) -> bytes:
    try:
        return sanitized(body)
    except TooManyTokensError as error:
        raise UnreadReviewError(
            f"The review cannot be read: {problem}, and it has {error}. "
            "Leave metadata.managedFields out."
        ) from None


def _problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(error)
