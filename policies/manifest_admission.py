"""What admission does to the pods that a manifest makes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from policies.admission import Admission, Effect
from policies.apply import apply, copied
from policies.document import Document
from policies.finding import Severity
from policies.manifest_pod import ManifestPod, manifest_pods
from policies.offer import Offer
from policies.operation import Operation
from policies.pod import Pod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.admission import Review
    from policies.engine import Engine

_DONE_BY_MUTATION = (Effect.FIXED, Effect.FAILED)


@dataclass(frozen=True, slots=True)
class PodAdmission:
    """A pod as it came, and what comes of it."""

    pod: ManifestPod
    admission: Admission


@dataclass(frozen=True, slots=True)
class ManifestAdmission:
    """What comes of a manifest."""

    document: Document
    """The manifest, its templates fixed."""
    operations: tuple[Operation, ...]
    """The JSON Patch that makes it from the manifest as it came."""
    pods: tuple[PodAdmission, ...]
    """In the order of their templates; none where the manifest makes no pods."""

    @property
    def allowed(self) -> bool:
        """Whether no pod of it is denied."""
        return all(pod.admission.allowed for pod in self.pods)

    @property
    def findings(self) -> Iterator[str]:
        """What was found and what came of it, a line each: `Job train: fixed tolerations: ...`."""
        subjects = [(each.pod.kind, each.pod.name) for each in self.pods]
        for each, subject in zip(self.pods, subjects, strict=True):
            # Where an object has several templates, the place tells them apart.
            place = f" {each.pod.pointer}" if subjects.count(subject) > 1 else ""
            for outcome in each.admission.outcomes:
                yield f"{each.pod.kind} {each.pod.name}{place}: {outcome}"


def admit_pod(engine: Engine, document: Document, review: Review) -> Admission:
    """Fix the pod in place, then validate what came of it, as `/mutate` and `/validate` do."""
    fixed = engine.admit(document, replace(review, fixes=True))
    done = [outcome for outcome in fixed.outcomes if outcome.effect in _DONE_BY_MUTATION]
    validated = engine.admit(document, replace(review, fixes=False))
    left = [outcome for outcome in validated.outcomes if outcome not in done]
    return Admission(document, fixed.operations, (*done, *left))


def admit_manifest(
    engine: Engine, manifest: Document, review: Review, namespace: str | None = None
) -> ManifestAdmission:
    """Admit the pods of a manifest, which is changed in place.

    Without a namespace each pod is in that of its manifest, or else in the review's.
    """
    pods: list[PodAdmission] = []
    operations: list[Operation] = []
    made = manifest_pods(manifest, namespace=namespace, default_namespace=review.namespace)
    for pod in made:
        judge = _admit_part if pod.template.partial else admit_pod
        own_review = replace(review, namespace=pod.namespace)
        admission = judge(engine, copied(pod.document), own_review)
        pods.append(PodAdmission(pod, admission))
        operations += _in_manifest(pod, admission.operations)
    apply(manifest, operations)
    return ManifestAdmission(manifest, tuple(operations), tuple(pods))


def _admit_part(engine: Engine, pod: Document, review: Review) -> Admission:
    """Judge a template that only states what differs from another one.

    Only what it asks for can be refused; what it lacks, the other may have.
    """
    if not Pod(pod, Offer(engine.settings.pools).is_gpu).asks_for_gpu:
        return Admission(pod)
    admission = engine.admit(pod, replace(review, fixes=False))
    refused = [o for o in admission.outcomes if o.finding.severity is Severity.REFUSE]
    return Admission(pod, outcomes=tuple(refused))


def _in_manifest(pod: ManifestPod, operations: tuple[Operation, ...]) -> Iterator[Operation]:
    """Yield the operations on a pod as operations on the manifest that holds its template."""
    if operations and pod.template.document.get("metadata") is None:
        # The pod has metadata, its owner at least; a template need not.
        yield Operation("add", f"{pod.pointer}/metadata", {})
    for operation in operations:
        yield Operation(operation.op, f"{pod.pointer}{operation.path}", operation.value)
