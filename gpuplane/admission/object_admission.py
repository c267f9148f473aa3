"""What the webhook of a cluster would do to an object of a manifest."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.objects.document import Document
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.manifest_file import ManifestObject, read_manifest_file
from gpuplane.admission.manifest_sources import ManifestSource
from gpuplane.admission.unread_parts import unread_parts
from policies.admission import Effect, Outcome, Review
from policies.apply import copied
from policies.document import members, text
from policies.engine import Engine
from policies.manifest_admission import (
    ManifestAdmission,
    ManifestFinding,
    PodAdmission,
    admit_manifest,
)
from policies.manifest_job import refused_jobs
from policies.pod import DEFAULT_NAMESPACE, Pod

REVIEW_KIND = "AdmissionReview"
"""Kind of what the API server asks a webhook, which `gpuplane admit` answers as well."""


class ObjectName(TypedDict):
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
    cluster: str = ""
    """That found it, where other clusters run the pods; otherwise empty."""

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
    gpu_namespaces: tuple[str, ...] = ()
    """Namespaces of its pods that ask for GPUs."""
    pods: tuple[PodAdmission, ...] = ()
    """Those that the cluster makes of it."""
    pods_elsewhere: Mapping[str, tuple[PodAdmission, ...]] = field(default_factory=dict)
    """Those that other clusters make of it, by their names."""

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
    rules: ClusterRules, one: ManifestObject, namespace: str | None, today: dt.date
) -> ObjectAdmission:
    """Admit an object's pods.

    Where other clusters run them, these do, and the object stays as it is. `namespace` takes the
    place of the one that the object names.
    """
    review = Review(DEFAULT_NAMESPACE, today)
    if workers := rules.elsewhere(one.document, namespace):
        return _admit_in(workers, rules.engine, one, namespace, review)
    engine = rules.engine
    admission = admit_manifest(engine, one.document, review, namespace)
    return ObjectAdmission(
        **object_name(one, namespace),
        findings=located(one, admission.findings, admission.outcomes),
        document=admission.document,
        allowed=admission.allowed,
        gpu_namespaces=tuple(
            pod.pod.namespace for pod in admission.pods if asks_for_gpu(engine, pod.pod.document)
        ),
        pods=admission.pods,
    )


def _admit_in(
    workers: Mapping[str, Engine],
    manager: Engine,
    one: ManifestObject,
    namespace: str | None,
    review: Review,
) -> ObjectAdmission:
    """Admit an object whose pods start in one of the workers; the manager itself makes none."""
    refused = refused_jobs(manager.settings, one.document, review.namespace, namespace)
    here = ManifestAdmission(one.document, (), (), tuple(refused))
    there = {
        name: replace(admit_manifest(engine, copied(one.document), review, namespace), refused=())
        for name, engine in workers.items()
    }
    found = [*located(one, here.findings, here.outcomes)]
    for name, admission in there.items():
        for finding in located(one, admission.findings, admission.outcomes):
            sentence = f"in {name}: {finding.sentence}"
            found.append(replace(finding, sentence=sentence, cluster=name))
    return ObjectAdmission(
        **object_name(one, namespace),
        findings=tuple(found),
        document=one.document,
        allowed=all(each.allowed for each in (here, *there.values())),
        pods_elsewhere={name: admission.pods for name, admission in there.items()},
    )


def object_name(one: ManifestObject, namespace: str | None) -> ObjectName:
    """Return what says which object it is; `namespace` takes the place of its own."""
    metadata = members(one.document.get("metadata"))
    return {
        "mark": one.mark,
        "api_version": one.document["apiVersion"],
        "kind": one.document["kind"],
        "namespace": namespace or text(metadata.get("namespace")) or DEFAULT_NAMESPACE,
        "name": text(metadata.get("name")) or text(metadata.get("generateName")),
    }


def located(
    one: ManifestObject, findings: Iterable[ManifestFinding], outcomes: Iterable[Outcome]
) -> tuple[ObjectFinding, ...]:
    """Return the findings of an object, each with the line of its field."""
    return tuple(
        ObjectFinding(one.mark_of(finding.path), finding.sentence, finding.path, outcome)
        for finding, outcome in zip(findings, outcomes, strict=True)
    )


def asks_for_gpu(engine: Engine, pod: Document) -> bool:
    """Whether a pod asks for a GPU, by the names that the cluster knows."""
    return Pod(pod, engine.offer.names.is_gpu).asks_for_gpu
