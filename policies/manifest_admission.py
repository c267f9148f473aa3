"""What admission does to a manifest: to the pods that it creates, and to its jobs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from policies.admission import Admission, Effect, Outcome, Review
from policies.document import Document, shown
from policies.engine import Engine
from policies.finding import Finding, Severity
from policies.manifest_pod import ManifestPod, manifest_pods
from policies.operation import Operation, apply, copied
from policies.pod import Pod
from policies.pod_security.refusals import refusals
from policies.refused_job import RefusedJob, refused_jobs
from policies.resource_validation import refused_resources
from policies.rule_name import Mode, RuleName
from policies.rules import granted_pools

_DONE_BY_MUTATION = (Effect.FIXED, Effect.FAILED)


class ManifestFinding(NamedTuple):
    """What was found in a manifest, and what was done about it."""

    path: str
    """JSON Pointer into the manifest to what is wrong, or to where something is missing."""
    sentence: str


@dataclass(frozen=True, slots=True)
class PodAdmission:
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
