"""Admission of an object of a manifest, or of an AdmissionReview."""

from charts_py.cluster_file.fault import Fault, Problem, SpecError
from charts_py.objects.document import Document
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.admission.object_admission import (
    REVIEW_KIND,
    ObjectAdmission,
    admit_object,
    asks_for_gpu,
    located,
)
from policies.admission import today
from policies.document import members, text
from policies.engine import Engine
from webhook.admission_round import admission_round, creation_of
from webhook.reviewer import Reviewer


def admit_object_or_review(
    rules: ClusterRules, one: ManifestObject, namespace: str | None
) -> ObjectAdmission:
    """Admit an object's pods, or answer it where it is a review.

    `namespace` takes the place of the one that the object names. Raises SpecError for a malformed
    review.
    """
    if one.document["kind"] == REVIEW_KIND:
        return _admit_review(rules.engine, one, namespace)
    return admit_object(rules, one, namespace, today())


def reviews_of(one: ManifestObject, admission: ObjectAdmission) -> tuple[Document, ...]:
    """Return a review for each of the object's pods; it itself where it is one."""
    if admission.kind == REVIEW_KIND:
        return (one.document,)
    whole = (each.pod for each in admission.pods if not each.pod.template.partial)
    return tuple(creation_of(pod.document, pod.namespace) for pod in whole)


def _admit_review(engine: Engine, one: ManifestObject, namespace: str | None) -> ObjectAdmission:
    review = one.document
    if namespace is not None and isinstance(request := review.get("request"), dict):
        request["namespace"] = namespace
    done = admission_round(Reviewer(engine.settings), review)
    if done.malformed is not None:
        raise SpecError([Fault(one.mark, Problem((), done.malformed))])
    request = review["request"]
    pod: Document = request.get("object") or {}
    return ObjectAdmission(
        mark=one.mark,
        api_version=review["apiVersion"],
        kind=review["kind"],
        namespace=text(request.get("namespace")),
        name=text(request.get("name")) or text(members(pod.get("metadata")).get("name")),
        findings=located(one, done.findings, done.outcomes),
        document=done.document,
        allowed=done.allowed,
        gpu_namespaces=(text(request.get("namespace")),) if asks_for_gpu(engine, pod) else (),
    )
