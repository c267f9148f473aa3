"""The pods that a manifest creates, and what admission does to them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from policies.admission import Admission, Effect, Outcome, Review
from policies.custom_rule import CustomName
from policies.document import (
    Document,
    Json,
    field_path,
    holders,
    name_of,
    namespace_of,
    pointer,
    shown,
    steps_of,
    text,
    value_at,
)
from policies.engine import Engine
from policies.finding import Finding, Severity
from policies.operation import Operation, apply, copied
from policies.pod import DEFAULT_NAMESPACE, Pod
from policies.pod_security.refusals import refusals
from policies.resource_validation import refused_resources
from policies.rule_name import Mode, RuleName
from policies.rules import granted_pools, priority_class
from policies.settings import JobKind, Settings
from policies.workloads.job_priority import classes_of_pods, kind_of, stated
from policies.workloads.part_source import PartSource, below
from policies.workloads.pod_template import PodTemplate, pod_templates
from policies.workloads.registry import workload_kind


@dataclass(frozen=True, slots=True)
class ManifestPod:
    """A pod that is a manifest itself, or is created from a template in it."""

    kind: str
    """Kind of the object that creates it; `Pod` where it is the pod itself."""
    name: str
    namespace: str
    pointer: str
    """JSON Pointer from the manifest to the template."""
    template: PodTemplate
    document: Document
    """The pod; a copy."""
    made_in: str = ""
    """The kind of Kubernetes itself whose template it is; empty where its maker is of another."""
    source: PartSource | None = None
    """Where its fields stand if it is assembled; None where they stand below `pointer`."""

    def place_of(self, path: str) -> str:
        """Return the JSON Pointer in the manifest for one in the pod."""
        return f"{self.pointer}{path}" if self.source is None else self.source.pointer_of(path)

    def told(self, outcome: Outcome) -> Outcome:
        """Return an outcome that names fields as those of the object that creates the pod."""
        finding, place = outcome.finding, field_path(self.template.pointer)
        if type(finding.rule) is CustomName or (not place and self.source is None):
            return outcome
        said = partial(below, place) if self.source is None else self.source.said_of
        message, remedy = said(finding.message), said(finding.remedy)
        return outcome._replace(finding=finding._replace(message=message, remedy=remedy))


def manifest_pods(
    manifest: Document,
    *,
    namespace: str | None = None,
    default_namespace: str = DEFAULT_NAMESPACE,
    is_partial: bool = False,
) -> Iterator[ManifestPod]:
    """Yield the pods of a Pod, a workload, or a List of them.

    Without `namespace`, each is in the one that its object names, or else in the default one. Of a
    manifest that is partial, all templates are.
    """
    for at, made_by in objects(manifest):
        place = namespace or namespace_of(made_by) or default_namespace
        name, kind = name_of(made_by), text(made_by.get("kind"))
        for read in pod_templates(made_by):
            template = replace(read, partial=True) if is_partial else read
            pod = copied(template.document)
            if template.document is not made_by:
                pod = _made(pod, kind)
            source = PartSource(made_by, template, at) if template.partial else None
            found, made_in = f"{at}{template.pointer}", _made_in(made_by, template.pointer)
            yield ManifestPod(kind, name, place, found, template, pod, made_in, source)


def _made_in(made_by: Document, pointer: str) -> str:
    """Return the kind of Kubernetes itself that has a template, also within another object."""
    for place in holders(pointer):
        holder = value_at(made_by, steps_of(place))
        kind = kind_of(holder) if type(holder) is dict else JobKind("", "")
        if (known := workload_kind(kind.group, kind.kind)) is not None:
            return known.validated_in
    return ""


def objects(document: Json, at: str = "") -> Iterator[tuple[str, Document]]:
    """Yield the object, or those in a List, each with the JSON Pointer to it."""
    if type(document) is not dict:
        return
    if text(document.get("kind")).endswith("List") and type(document.get("items")) is list:
        for index, item in enumerate(document["items"]):
            yield from objects(item, f"{at}/items/{index}")
    else:
        yield at, document


def _made(template: Document, kind: str) -> Document:
    """Return the pod that a controller creates from a template; rules read its owner."""
    metadata = template.pop("metadata", None)
    metadata = {} if metadata is None else metadata
    if type(metadata) is dict:
        metadata["ownerReferences"] = [{"kind": kind, "controller": True}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, **template}


_POD = JobKind("", "Pod")
"""What a pod itself names is a matter of the rule `priority-class`."""


@dataclass(frozen=True, slots=True)
class RefusedJob:
    """A job that the API server would not take."""

    kind: str
    name: str
    pointer: str
    finding: Finding

    @property
    def place(self) -> str:
        return f"{self.pointer}{self.finding.path}"


_DONE_BY_MUTATION = (Effect.FIXED, Effect.FAILED)


class ManifestFinding(NamedTuple):
    """What was found in a manifest, and what was done about it."""

    path: str
    """JSON Pointer into the manifest to what is wrong, or to where something is missing."""
    sentence: str


@dataclass(frozen=True, slots=True)
class PodAdmission:
    """The original pod, and the decision on it."""

    pod: ManifestPod
    admission: Admission
    refused: tuple[Finding, ...] = ()
    """What the API server refuses by itself: in a template of its own as that is written, in any
    other pod once admission has changed it."""

    @property
    def allowed(self) -> bool:
        return not self.refused and self.admission.allowed

    @property
    def outcomes(self) -> Iterator[Outcome]:
        """What is done about each finding.

        If two concern one field, the earlier step is kept: a template is validated before its pods
        are admitted. A rule's denial replaces the API server's, since it explains more.
        """
        refused = {each.path: each for each in self.refused}
        if not self.pod.made_in:
            for denial in self.admission.denials:
                refused.pop(denial.path, None)
        for outcome in self.admission.outcomes:
            instead = refused.pop(outcome.finding.path, None)
            if instead is None:
                yield outcome
            else:
                yield _denied(instead._replace(fix=instead.fix or outcome.finding.fix))
        yield from map(_denied, refused.values())


@dataclass(frozen=True, slots=True)
class ManifestAdmission:
    """The decision on a manifest."""

    document: Document
    """The manifest, its templates fixed."""
    operations: tuple[Operation, ...]
    """The JSON Patch that turns the original manifest into it."""
    pods: tuple[PodAdmission, ...]
    """Pods in the order of their templates; empty where the manifest creates no pods."""
    refused: tuple[RefusedJob, ...] = ()
    """Jobs that may not wait in a queue as they are."""

    @property
    def allowed(self) -> bool:
        return not self.refused and all(pod.allowed for pod in self.pods)

    @property
    def outcomes(self) -> Iterator[Outcome]:
        for pod in self.pods:
            yield from pod.outcomes
        for job in self.refused:
            yield _denied(job.finding)

    @property
    def findings(self) -> Iterator[ManifestFinding]:
        """What was found and done about it: `Job train: fixed tolerations: ...`."""
        subjects = [(each.pod.kind, each.pod.name) for each in self.pods]
        for each, subject in zip(self.pods, subjects, strict=True):
            # Where an object has several templates, the place tells them apart.
            place = f" {each.pod.pointer}" if subjects.count(subject) > 1 else ""
            for outcome in each.outcomes:
                where = each.pod.place_of(outcome.finding.path)
                yield ManifestFinding(where, f"{_named(each.pod)}{place}: {outcome}")
        for job in self.refused:
            yield ManifestFinding(job.place, f"{_named(job)}: {_denied(job.finding)}")


def _named(of: ManifestPod | RefusedJob) -> str:
    return f"{shown(of.kind)} {shown(of.name)}"


def admit_pod(engine: Engine, document: Document, review: Review) -> Admission:
    """Fix the pod in place, then validate the result, as `/mutate` and `/validate` do."""
    fixed = engine.admit(document, replace(review, fixes=True))
    done = [outcome for outcome in fixed.outcomes if outcome.effect in _DONE_BY_MUTATION]
    validated = engine.admit(document, replace(review, fixes=False))
    left = [outcome for outcome in validated.outcomes if outcome not in done]
    return Admission(document, fixed.operations, (*done, *left))


def admit_manifest(
    engine: Engine, manifest: Document, review: Review, namespace: str | None = None
) -> ManifestAdmission:
    """Admit the pods and jobs of a manifest, which is changed in place.

    Without `namespace`, each pod is in the namespace of its manifest, or else of the review.
    """
    pods = admitted_pods(engine, manifest, review, namespace)
    refused = refused_jobs(engine.settings, manifest, review.namespace, namespace)
    jobs = tuple(refused_besides(refused, pods))
    operations: list[Operation] = []
    for each in pods:
        lacks_metadata = each.pod.template.document.get("metadata") is None
        operations += on_manifest(
            each.pod, each.admission.operations, lacks_metadata=lacks_metadata
        )
    apply(manifest, operations)
    return ManifestAdmission(manifest, tuple(operations), pods, jobs)


def admitted_pods(
    engine: Engine,
    manifest: Document,
    review: Review,
    namespace: str | None = None,
    *,
    is_partial: bool = False,
) -> tuple[PodAdmission, ...]:
    """Return the decisions on the pods of a manifest, which stays as it is.

    Namespaces and what is partial are as in `manifest_pods`.
    """
    default = review.namespace
    made = manifest_pods(
        manifest, namespace=namespace, default_namespace=default, is_partial=is_partial
    )
    return tuple(_admitted(engine, pod, review) for pod in made)


def _admitted(engine: Engine, pod: ManifestPod, review: Review) -> PodAdmission:
    own_review, document = replace(review, namespace=pod.namespace), copied(pod.document)
    admit = admit_pod if pod.source is None else _admit_part
    admission = _in_namespace(engine, pod, admit(engine, document, own_review))
    refused = _refused(pod, admission) if pod.source is None else ()
    told = admission._replace(outcomes=(*map(pod.told, admission.outcomes),))
    return PodAdmission(pod, told, tuple([pod.told(_denied(each)).finding for each in refused]))


_KNATIVE = ("Configuration", "Service")
"""Kinds of pods that get defaults of their own, as `secure-pod-defaults` says
(https://knative.dev/docs/serving/configuration/secure-pod-defaults)."""


def _in_namespace(engine: Engine, made: ManifestPod, admission: Admission) -> Admission:
    """Add what the API server's own Pod Security would refuse of what admission makes of it.

    What a rule denies is denied in more words.
    """
    known = engine.settings.namespaces.get(made.namespace)
    if known is None or known.pod_security is None:
        return admission
    states_all = made.source is None and made.kind not in _KNATIVE
    pod = Pod(copied(admission.document), engine.offer.names.is_gpu)
    found = refusals(pod, made.namespace, known.pod_security, states_all=states_all)
    denied = {finding.path for finding in admission.denials}
    refused = [_denied(finding) for finding in found if finding.path not in denied]
    return admission._replace(outcomes=(*admission.outcomes, *refused))


def _refused(pod: ManifestPod, admission: Admission) -> Iterable[Finding]:
    if pod.made_in:
        return refused_resources(pod.document, f"the {pod.made_in}")
    return refused_resources(admission.document, "the pod")


def _denied(finding: Finding) -> Outcome:
    return Outcome(finding, Mode.ENFORCE, Effect.DENIED)


def refused_besides(
    jobs: Iterable[RefusedJob], pods: Iterable[PodAdmission]
) -> Iterator[RefusedJob]:
    """Yield the jobs that are refused for something else than a pod of theirs is denied for."""
    denied = {
        each.pod.place_of(outcome.finding.path)
        for each in pods
        for outcome in each.outcomes
        if outcome.effect is Effect.DENIED
    }
    for job in jobs:
        if job.place not in denied:
            yield job


def _admit_part(engine: Engine, pod: Document, review: Review) -> Admission:
    """Judge a template that only states its differences from another one.

    It can be refused for what it asks for only; what it lacks, the other one may have. Whatever
    that is, its pod is kept to the pools of its namespace.
    """
    if not Pod(pod, engine.offer.names.is_gpu).asks_for_gpu:
        return Admission(pod)
    Engine(engine.settings, (granted_pools.RULE,), engine.offer).admit(pod, review)
    admission = engine.admit(pod, replace(review, fixes=False))
    refused = [
        outcome
        for outcome in admission.outcomes
        if outcome.finding.severity is Severity.REFUSE
        # Rules of the platform team's own may look for what the other one has.
        and type(outcome.finding.rule) is RuleName
        # It finds a pod that lacks its consent to spot nodes.
        and outcome.finding.rule is not RuleName.TOLERATIONS
    ]
    return Admission(pod, outcomes=tuple(refused))


def on_manifest(
    pod: ManifestPod, operations: tuple[Operation, ...], *, lacks_metadata: bool
) -> Iterator[Operation]:
    """Yield the operations on a pod as operations on the manifest that holds its template.

    The pod always has metadata, at least its owner; a template need not.
    """
    if lacks_metadata and any(each.path.startswith("/metadata") for each in operations):
        yield Operation("add", f"{pod.pointer}/metadata", {})
    for operation in operations:
        yield Operation(operation.op, f"{pod.pointer}{operation.path}", operation.value)


def refused_jobs(
    settings: Settings, manifest: Document, default_namespace: str, namespace: str | None = None
) -> Iterator[RefusedJob]:
    """Yield the jobs of a manifest, or a List of them; namespaces as in `manifest_pods`."""
    for at, job in objects(manifest):
        place = namespace or namespace_of(job) or default_namespace
        for finding in _refusals(settings, job, place):
            yield RefusedJob(text(job.get("kind")), name_of(job), at, finding)


def _refusals(settings: Settings, job: Document, namespace: str) -> Iterator[Finding]:
    priority, known = settings.queue_priority, settings.namespaces.get(namespace)
    if priority is None or known is None:
        return
    kind = kind_of(job)
    if kind not in priority.jobs and kind not in priority.others:
        return
    named = [(pointer(*priority.field), stated(job, priority.field))]
    if kind != _POD:
        named += classes_of_pods(job, kind)
    for path, name in named:
        if name:
            reserved = settings.reserved_priority_classes
            yield from priority_class.refusals(kind.kind, path, name, known, reserved)
