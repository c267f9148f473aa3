"""Reads what the API server asks.

https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#request
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from policies.document import Json, members, text

API_VERSION = "admission.k8s.io/v1"
KIND = "AdmissionReview"


class MalformedReviewError(ValueError):
    """Why a body is not a review."""

    def __init__(self, uid: str, problem: str) -> None:
        super().__init__(f"The body is not an {API_VERSION} {KIND}: {problem}")
        self.uid = uid
        """The uid of the request; empty where it could not be read."""


class Kind(msgspec.Struct, frozen=True):
    """The kind of object that is admitted."""

    kind: str
    group: str = ""
    """Empty for the core group."""


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
    object: Json = None
    """Raw, so that no unknown field is lost; None where there is none, as in a DELETE."""
    old_object: Json = None


class _AdmissionReview(msgspec.Struct, rename="camel"):
    api_version: Literal["admission.k8s.io/v1"]
    kind: Literal["AdmissionReview"]
    request: AdmissionRequest


_DECODER = msgspec.json.Decoder(_AdmissionReview)
_ANYTHING = msgspec.json.Decoder()


def read_request(body: bytes | bytearray) -> AdmissionRequest:
    """Decode a review; raises MalformedReviewError, which says what is wrong and where."""
    try:
        return _DECODER.decode(body).request
    except (ValueError, RecursionError) as error:
        raise MalformedReviewError(_uid(body), _problem(error)) from None


def _uid(body: bytes | bytearray) -> str:
    """Return the uid of a review that is otherwise malformed, so that its answer is recognised."""
    try:
        review = _ANYTHING.decode(body)
    except (ValueError, RecursionError):
        return ""
    return text(members(members(review).get("request")).get("uid"))


def _problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(error)
