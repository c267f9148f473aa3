"""The webhook's answers, as the API server reads them.

https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#response
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

import msgspec

from policies.admission import Admission, Outcome
from policies.document import cut, printable
from policies.finding import Failure
from webhook.admission_request import API_VERSION, KIND, AdmissionRequest

MAX_TOTAL_WARNING_LENGTH = 4096
"""Characters of all warnings together; beyond that, the API server truncates each of them.
Source: `maxTotalWarningLength` in
https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/endpoints/filters/warning.go"""
MAX_MESSAGE_LENGTH = 8192
"""Characters of a denial."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent, and what is counted and logged."""

    body: bytes
    code: int
    """The HTTP status inside the review: 200 where the object is allowed."""
    uid: str
    """Empty where the request could not be read."""
    request: AdmissionRequest | None = None
    outcomes: Sequence[Outcome] = ()
    failure: Failure | None = None
    """Where the webhook itself failed; a rule that fails is an outcome."""
    judged_by: str | None = None
    """The hash by which the webhook vouches for the pod; empty where something is wrong with it,
    None where that was not asked."""

    @property
    def http_status(self) -> int:
        """The status of the HTTP response.

        200 even for a denial. No API server accepts an answer without the uid, so the status then
        repeats the code. So it does where the fault is not in the object: there the failure policy
        of the webhook configuration must decide.
        """
        if self.uid and self.code != _ERROR:
            return _OK
        return self.code

    @property
    def decision(self) -> str:
        """`allowed`, `denied`, or `refused` where it could not be judged."""
        if self.code == _OK:
            return "allowed"
        return "denied" if self.code == _FORBIDDEN else "refused"


# Numbers, since looking up enum members is slow in Python 3.11.
_OK = int(HTTPStatus.OK)
_FORBIDDEN = int(HTTPStatus.FORBIDDEN)
_ERROR = int(HTTPStatus.INTERNAL_SERVER_ERROR)


class _Status(msgspec.Struct):
    code: int
    reason: str
    message: str


class _Response(msgspec.Struct, rename="camel", omit_defaults=True):
    uid: str
    allowed: bool
    status: _Status | None = None
    patch_type: str | None = None
    patch: bytes | None = None
    """Encoded as base64."""
    warnings: Sequence[str] = ()
    audit_annotations: Mapping[str, str] | None = None


class _AdmissionReview(msgspec.Struct, rename="camel"):
    api_version: str
    kind: str
    response: _Response


_ENCODER = msgspec.json.Encoder()


def allow(request: AdmissionRequest) -> Answer:
    """Admit an object that no rule looks at."""
    return Answer(_encode(_Response(request.uid, True)), _OK, request.uid, request)


def patch(request: AdmissionRequest, admission: Admission, judged_by: str | None = None) -> Answer:
    """Admit a pod with its fixes, and warn of what is not fixed; `judged_by` as in `Answer`."""
    response = _allowing(request, admission)
    if admission.operations:
        response.patch_type = "JSONPatch"
        response.patch = _ENCODER.encode([each.to_json() for each in admission.operations])
    outcomes = admission.outcomes
    return Answer(_encode(response), _OK, request.uid, request, outcomes, judged_by=judged_by)


def judge(request: AdmissionRequest, admission: Admission) -> Answer:
    """Admit a pod, or deny it with every reason at once."""
    response = _allowing(request, admission)
    code = _OK
    if denials := admission.denials:
        code = _FORBIDDEN
        response.allowed = False
        message = " ".join(dict.fromkeys(map(str, denials)))
        response.status = _status(HTTPStatus.FORBIDDEN, message)
    return Answer(_encode(response), code, request.uid, request, admission.outcomes)


def _allowing(request: AdmissionRequest, admission: Admission) -> _Response:
    response = _Response(request.uid, True)
    if admission.outcomes:
        response.warnings = _within_limit(admission.warnings)
        response.audit_annotations = admission.audit_annotations
    return response


def refuse(
    uid: str,
    code: HTTPStatus,
    message: str,
    *,
    request: AdmissionRequest | None = None,
    failure: Failure | None = None,
) -> Answer:
    """Answer what is not a review, or one that cannot be judged."""
    response = _Response(uid, False, _status(code, message))
    return Answer(_encode(response), int(code), uid, request, failure=failure)


def _encode(response: _Response) -> bytes:
    return _ENCODER.encode(_AdmissionReview(API_VERSION, KIND, response))


def _status(code: HTTPStatus, message: str) -> _Status:
    shown = cut(printable(message), MAX_MESSAGE_LENGTH)
    return _Status(int(code), code.phrase.replace(" ", ""), shown)


def _within_limit(warnings: Sequence[str]) -> Sequence[str]:
    total = 0
    for index, warning in enumerate(warnings):
        total += len(warning)
        if total > MAX_TOTAL_WARNING_LENGTH:
            return warnings[:index]
    return warnings
