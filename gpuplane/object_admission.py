"""What the webhook of a cluster would do to an object of a manifest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from charts_py.admission.cluster_rules import ClusterRules
from charts_py.admission.manifest_file import ManifestObject, read_manifest_file
from charts_py.admission.manifest_sources import ManifestSource
from charts_py.admission.unread_parts import unread_parts
from charts_py.objects.document import Document
from charts_py.spec.fault import Fault, Mark, Problem, SpecError
from policies.admission import Effect, Outcome, Review
from policies.apply import copied
from policies.document import members, text
from policies.engine import Engine
from policies.manifest_admission import ManifestAdmission, ManifestFinding, admit_manifest
from policies.manifest_job import refused_jobs
from policies.pod import Pod
from webhook.admission_request import KIND
from webhook.admission_round import admission_round, creation_of
from webhook.reviewer import Reviewer, today

DEFAULT_NAMESPACE = "default"
"""Of an object that names none."""


class _Named(TypedDict):
    """What says which object it is."""

    mark: Mark
    api_version: str
    kind: str
    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class ObjectFinding:
    """A finding in one of the object's pods."""

    mark: Mark
    """The line of the field."""
    sentence: str
    """Who, what was done, and what was found: `Job train: fixed tolerations: ...`."""
    pointer: str
    """JSON Pointer from the object to what is wrong."""
    outcome: Outcome

    @property
    def effect(self) -> Effect:
        """What was done about it."""
        return self.outcome.effect

    def fields(self) -> dict[str, Any]:
        """Return the finding as a report has it."""
        finding = self.outcome.finding
        return {
            "line": self.mark.line,
            "effect": self.effect.value,
            "rule": finding.rule.value,
            "pointer": self.pointer,
            "message": finding.message,
            "remedy": finding.remedy,
        }


@dataclass(frozen=True, slots=True)
class ObjectAdmission:
    """The decision on an object."""

    mark: Mark
    api_version: str
    kind: str
    namespace: str
    name: str
    findings: tuple[ObjectFinding, ...]
    document: Document | None
    """The object, fixed; None where a review has none, as of a DELETE."""
    allowed: bool
    reviews: tuple[Document, ...]
    """One for each of its pods."""
    gpu_namespaces: tuple[str, ...]
    """Namespaces of its pods that ask for GPUs."""

    @property
    def subject(self) -> str:
        """What it is called: `Job train`."""
        return f"{self.kind} {self.name}".rstrip()

    def fields(self) -> dict[str, Any]:
        """Return the decision as a report has it; a denied object is left out."""
        return {
            "file": self.mark.file,
            "line": self.mark.line,
            "object": {
                "apiVersion": self.api_version,
                "kind": self.kind,
                "namespace": self.namespace,
                "name": self.name,
            },
            "allowed": self.allowed,
            "findings": [finding.fields() for finding in self.findings],
            "admitted": self.document if self.allowed else None,
        }


def read_objects(sources: Sequence[ManifestSource]) -> list[ManifestObject]:
    """Read the objects of all sources, at least one; raises SpecError with the faults of all.

    An object of which rules would pass over a part is a fault, too.
    """
    objects: list[ManifestObject] = []
    faults: list[Fault] = []
    for source in sources:
        try:
            found = read_manifest_file(source.content, source.shown_as)
        except SpecError as error:
            faults += error.faults
            continue
        objects += found
        faults += (fault for one in found for fault in unread_parts(one))
    if not objects and not faults:
        nothing = Problem((), "no object", "a mapping with apiVersion and kind")
        faults = [Fault(Mark(source.shown_as, 1), nothing) for source in sources]
    if faults:
        raise SpecError(faults)
    return objects


def admit_object(
    rules: ClusterRules, one: ManifestObject, namespace: str | None
) -> ObjectAdmission:
    """Admit an object's pods, or answer it where it is a review.

    Where other clusters run them, these do, and the object stays as it is. `namespace` takes the
    place of the one that the object names. Raises SpecError for a malformed review.
    """
    if one.document["kind"] == KIND:
        return _admit_review(rules.engine, one, namespace)
    if workers := rules.elsewhere(one.document, namespace):
        return _admit_in(workers, rules.engine, one, namespace)
    return _admit_manifest(rules.engine, one, namespace)


def _admit_manifest(engine: Engine, one: ManifestObject, namespace: str | None) -> ObjectAdmission:
    review = Review(DEFAULT_NAMESPACE, today())
    admission = admit_manifest(engine, one.document, review, namespace)
    whole = [pod.pod for pod in admission.pods if not pod.pod.template.partial]
    return ObjectAdmission(
        **_named(one, namespace),
        findings=_located(one, admission.findings, admission.outcomes),
        document=admission.document,
        allowed=admission.allowed,
        reviews=tuple(creation_of(pod.document, pod.namespace) for pod in whole),
        gpu_namespaces=tuple(
            pod.pod.namespace for pod in admission.pods if _asks_for_gpu(engine, pod.pod.document)
        ),
    )


def _admit_in(
    workers: Mapping[str, Engine], manager: Engine, one: ManifestObject, namespace: str | None
) -> ObjectAdmission:
    """Admit an object whose pods start in one of the workers; the manager itself makes none."""
    review = Review(DEFAULT_NAMESPACE, today())
    refused = refused_jobs(manager.settings, one.document, review.namespace, namespace)
    here = ManifestAdmission(one.document, (), (), tuple(refused))
    there = {
        name: replace(admit_manifest(engine, copied(one.document), review, namespace), refused=())
        for name, engine in workers.items()
    }
    found = [*_located(one, here.findings, here.outcomes)]
    for name, admission in there.items():
        findings = (
            each._replace(sentence=f"in {name}: {each.sentence}") for each in admission.findings
        )
        found += _located(one, findings, admission.outcomes)
    return ObjectAdmission(
        **_named(one, namespace),
        findings=tuple(found),
        document=one.document,
        allowed=all(each.allowed for each in (here, *there.values())),
        reviews=(),
        gpu_namespaces=(),
    )


def _named(one: ManifestObject, namespace: str | None) -> _Named:
    metadata = members(one.document.get("metadata"))
    return {
        "mark": one.mark,
        "api_version": one.document["apiVersion"],
        "kind": one.document["kind"],
        "namespace": namespace or text(metadata.get("namespace")) or DEFAULT_NAMESPACE,
        "name": text(metadata.get("name")) or text(metadata.get("generateName")),
    }


def _located(
    one: ManifestObject, findings: Iterable[ManifestFinding], outcomes: Iterable[Outcome]
) -> tuple[ObjectFinding, ...]:
    """Return the findings of an object, each with the line of its field."""
    return tuple(
        ObjectFinding(one.mark_of(finding.path), finding.sentence, finding.path, outcome)
        for finding, outcome in zip(findings, outcomes, strict=True)
    )


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
        findings=_located(one, done.findings, done.outcomes),
        document=done.document,
        allowed=done.allowed,
        reviews=(review,),
        gpu_namespaces=(text(request.get("namespace")),) if _asks_for_gpu(engine, pod) else (),
    )


def _asks_for_gpu(engine: Engine, pod: Document) -> bool:
    return Pod(pod, engine.offer.names.is_gpu).asks_for_gpu
