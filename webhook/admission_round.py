"""One round of admission: mutation, then validation of the result, as the API server asks."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

import msgspec

from policies.admission import Outcome
from policies.document import Document, Json, name_of, shown
from policies.manifest_admission import ManifestFinding
from policies.operation import Operation, apply, copied
from webhook.admission_answer import Answer
from webhook.admission_request import API_VERSION, KIND
from webhook.reviewer import Purpose, Reviewer

_OBJECT = "/request/object"
"""Where a review holds the pod."""

NIL_UID = "00000000-0000-0000-0000-000000000000"
"""The UID of a review that no API server asked for
(https://www.rfc-editor.org/rfc/rfc9562#section-5.9)."""


@dataclass(frozen=True, slots=True)
class AdmissionRound:
    answers: tuple[Answer, ...]
    """The answer of mutation, and of validation if mutation admitted the object."""
    document: Json
    """The object with the patch applied; None where there is none, as in a DELETE."""

    @property
    def allowed(self) -> bool:
        return self.answers[-1].code == HTTPStatus.OK

    @property
    def malformed(self) -> str | None:
        """Why the review could not be judged; None where it could."""
        answer = self.answers[-1]
        if answer.code in (HTTPStatus.OK, HTTPStatus.FORBIDDEN):
            return None
        message: str = msgspec.json.decode(answer.body)["response"]["status"]["message"]
        return message

    @property
    def outcomes(self) -> Sequence[Outcome]:
        """What was fixed, then what was found in the rest; a rule that fails, fails in both."""
        outcomes: list[Outcome] = []
        for answer in self.answers:
            outcomes += [outcome for outcome in answer.outcomes if outcome not in outcomes]
        return outcomes

    @property
    def findings(self) -> Iterator[ManifestFinding]:
        request = self.answers[0].request
        name = "" if request is None else request.name or name_of(request.object)
        for outcome in self.outcomes:
            path = f"{_OBJECT}{outcome.finding.path}"
            yield ManifestFinding(path, f"Pod {shown(name)}: {outcome}")


def creation_of(pod: Document, namespace: str) -> Document:
    request = {
        "uid": NIL_UID,
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "operation": "CREATE",
        "namespace": namespace,
        "object": pod,
    }
    return {"apiVersion": API_VERSION, "kind": KIND, "request": request}


def admission_round(reviewer: Reviewer, review: Document) -> AdmissionRound:
    """Ask for mutation and for validation; the review stays as it is."""
    mutation = reviewer.review(msgspec.json.encode(review), Purpose.MUTATE)
    if mutation.code != HTTPStatus.OK:
        return AdmissionRound((mutation,), None)
    patched = copied(review)
    document = patched["request"].get("object")
    if document is not None:
        apply(document, patch_of(mutation.body))
    validation = reviewer.review(msgspec.json.encode(patched), Purpose.VALIDATE)
    return AdmissionRound((mutation, validation), document)


def patch_of(answer: bytes) -> list[Operation]:
    """Return the operations of the patch in an answer; none where it has no patch."""
    patch = msgspec.json.decode(answer)["response"].get("patch")
    operations = [] if patch is None else msgspec.json.decode(base64.b64decode(patch))
    return [Operation(**operation) for operation in operations]
