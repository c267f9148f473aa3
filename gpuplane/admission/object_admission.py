"""What the webhook of a cluster would do to an object of a manifest."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.objects.document import Document
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.manifest_file import (
    ManifestFile,
    ManifestObject,
    TemplateEngine,
    TemplateFault,
    read_manifests,
)
from gpuplane.admission.manifest_sources import ManifestSource, other_use
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.admission.unread_parts import unread_parts
from gpus.nearest import nearest, nearest_hint
from policies.admission import Effect, Outcome, Review
from policies.custom_rule import CustomName
from policies.document import name_of, namespace_of, objects, text
from policies.engine import Engine
from policies.finding import Finding, Severity
from policies.manifest_admission import (
    ManifestAdmission,
    ManifestFinding,
    PodAdmission,
    admit_manifest,
)
from policies.operation import copied
from policies.pod import DEFAULT_NAMESPACE, Pod
from policies.refused_job import refused_jobs
from policies.rule_name import Mode
from policies.settings import Settings, kind_of
from policies.workloads.registry import workload_kind

REVIEW_KIND = "AdmissionReview"
"""The kind with which the API server asks a webhook; `gpuplane admit` answers it as well."""


@dataclass(frozen=True, slots=True)
class AdmissionFinding:
    """A finding in one of the object's pods."""

    mark: Mark
    sentence: str
    """What was done and found, and in which object: `Job train: fixed tolerations: ...`."""
    pointer: str
    """JSON Pointer from the object to what is wrong."""
    outcome: Outcome
    cluster: str = ""
    """The cluster that found it, where other clusters run the pods; otherwise empty."""

    @property
    def effect(self) -> Effect:
        return self.outcome.effect

    def fields(self) -> dict[str, Any]:
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
    findings: tuple[AdmissionFinding, ...]
    document: Document | None
    """The object, fixed; None where a review has none, as of a DELETE."""
    allowed: bool
    gpu_namespaces: tuple[str, ...] = ()
    pods: tuple[PodAdmission, ...] = ()
    pods_elsewhere: Mapping[str, tuple[PodAdmission, ...]] = field(default_factory=dict)
    """The pods that other clusters make of it, by their names."""
    is_judged: bool = True
    """Whether a rule or a policy reads objects of its kind."""

    @property
    def subject(self) -> str:
        """As in `Job train`."""
        return f"{self.kind} {self.name}".rstrip()

    def fields(self) -> dict[str, Any]:
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


def read_objects(sources: Sequence[ManifestSource]) -> tuple[list[ManifestObject], list[str]]:
    """Read the objects of all sources, at least one; raises SpecError with the faults of all.

    An object of which rules would pass over a part is a fault, too. Of a folder, templates and
    files without objects, such as the values of a chart, are passed over, with a line for each.
    """
    objects: list[ManifestObject] = []
    faults: list[Fault] = []
    passed_over: list[str] = []
    for source in sources:
        only = not source.is_named
        read = read_manifests(source.content, source.shown_as, objects_only=only)
        if only and (why := _other_use(source, read)):
            passed_over.append(f"{source.shown_as}: is passed over, since {why}")
            continue
        objects += read.objects
        faults += (*read.faults, *([] if read.stop is None else [read.stop]))
        faults += (fault for one in read.objects for fault in unread_parts(one))
    if not objects and not faults:
        nothing = Problem((), "no object", "a mapping with apiVersion and kind")
        faults = [Fault(Mark(source.shown_as, 1), nothing) for source in sources]
    if faults:
        raise SpecError(faults)
    return objects, passed_over


def _other_use(source: ManifestSource, read: ManifestFile) -> str:
    """Return what else a file of a folder is for; empty for manifests."""
    if isinstance(read.stop, TemplateFault):
        what = read.stop.problem.what
        return what if read.stop.engine is TemplateEngine.OTHER else f"it is {what}"
    is_read = read.objects or read.faults or read.stop
    return other_use(source.shown_as, source.content) or ("" if is_read else "it holds no object")


def admit_object(
    rules: ClusterRules, one: ManifestObject, namespace: str | None, today: dt.date
) -> ObjectAdmission:
    """Admit an object's pods.

    Where other clusters run them, these do, and the object stays as it is: the cluster itself makes
    no pods, and refuses jobs alone. `namespace` takes the place of the one that the object names.
    """
    document, review = one.document, Review(DEFAULT_NAMESPACE, today)
    if workers := rules.elsewhere(document, namespace):
        jobs = refused_jobs(rules.engine.settings, document, review.namespace, namespace)
        here = ManifestAdmission(document, (), (), tuple(jobs))
    else:
        here = admit_manifest(rules.engine, document, review, namespace)
    there = {
        name: replace(admit_manifest(engine, copied(document), review, namespace), refused=())
        for name, engine in workers.items()
    }
    found = [*located(one, here.findings, here.outcomes)]
    for name, admission in there.items():
        of_worker = located(one, admission.findings, admission.outcomes)
        found += (
            replace(each, sentence=f"in {name}: {each.sentence}", cluster=name)
            for each in of_worker
        )
    besides = [*_by_policies(rules.policies, one, namespace, here.pods)]
    place = namespace or namespace_of(document) or DEFAULT_NAMESPACE
    pods = (each.pod for each in here.pods)
    return ObjectAdmission(
        mark=one.mark,
        api_version=document["apiVersion"],
        kind=document["kind"],
        namespace=place,
        name=name_of(document),
        findings=(*found, *besides),
        document=document,
        allowed=all(each.allowed for each in (here, *there.values()))
        and all(each.effect is not Effect.DENIED for each in besides),
        gpu_namespaces=tuple(
            pod.namespace for pod in pods if asks_for_gpu(rules.engine, pod.document)
        ),
        pods=here.pods,
        pods_elsewhere={name: admission.pods for name, admission in there.items()},
        is_judged=any(_is_judged(rules, each, place) for _, each in objects(document)),
    )


def _is_judged(rules: ClusterRules, one: Document, namespace: str) -> bool:
    kind = kind_of(one)
    is_known = workload_kind(kind.group, kind.kind) is not None
    return is_known or bool(rules.policies.concerning(one, namespace))


def _by_policies(
    policies: ObjectPolicies,
    one: ManifestObject,
    namespace: str | None,
    pods: Sequence[PodAdmission],
) -> Iterator[AdmissionFinding]:
    """Yield what policies say of the object, or of those in a List, and of their pods."""
    judged = [
        (f"{at}{found.pointer}", text(each.get("kind")), name_of(each), found)
        for at, each in objects(one.document)
        for found in policies.findings(each, namespace or namespace_of(each) or DEFAULT_NAMESPACE)
    ]
    judged += (
        (pod.place_of(found.pointer), pod.kind, pod.name, found)
        for pod, found in policies.of_pods(pods)
    )
    for pointer, kind, name, found in judged:
        severity = Severity.REFUSE if found.effect is Effect.DENIED else Severity.WARN
        finding = Finding(
            CustomName(found.policy), severity, found.pointer, f"the {kind}", found.message, ""
        )
        outcome = Outcome(finding, Mode.ENFORCE, found.effect)
        yield AdmissionFinding(one.mark_of(pointer), f"{kind} {name}: {outcome}", pointer, outcome)


def located(
    one: ManifestObject, findings: Iterable[ManifestFinding], outcomes: Iterable[Outcome]
) -> tuple[AdmissionFinding, ...]:
    return tuple(
        AdmissionFinding(one.mark_of(finding.path), finding.sentence, finding.path, outcome)
        for finding, outcome in zip(findings, outcomes, strict=True)
    )


def asks_for_gpu(engine: Engine, pod: Document) -> bool:
    return Pod(pod, engine.offer.names.is_gpu).asks_for_gpu


def admission_notes(
    admitted: Sequence[ObjectAdmission], settings: Settings, cluster: str
) -> Iterator[str]:
    """Yield a line for each object that is there twice, and for each namespace without a team."""
    yield from _repeated(admitted)
    seen = dict.fromkeys(namespace for one in admitted for namespace in one.gpu_namespaces)
    for namespace in seen:
        if namespace not in settings.namespaces:
            hint = nearest_hint(nearest(namespace, settings.namespaces))
            yield (
                f"no team of {cluster} has the namespace {namespace}, so the rules about a team's "
                f"pools, priorities, labels and purpose find nothing{hint}; write that of a team "
                "as metadata.namespace, or pass --namespace"
            )


def _repeated(admitted: Sequence[ObjectAdmission]) -> Iterator[str]:
    first: dict[tuple[str, ...], Mark] = {}
    for one in admitted:
        identity = (one.api_version, one.kind, one.namespace, one.name)
        if one.kind == REVIEW_KIND or not one.name:
            continue
        if identity in first:
            other = f"stands in {first[identity]} as well; what is applied last stays"
            yield f"{one.mark}: {one.subject} of namespace {one.namespace} {other}"
        first.setdefault(identity, one.mark)
