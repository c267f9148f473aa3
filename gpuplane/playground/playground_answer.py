"""The answer of a cluster to a manifest: one function for the local server and for browsers."""

import datetime as dt
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

import msgspec

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.admission.manifest_sources import ManifestSource
from gpuplane.admission.object_admission import (
    REVIEW_KIND,
    AdmissionFinding,
    ObjectAdmission,
    admission_notes,
    admit_object,
    read_objects,
)
from gpuplane.playground.answer import (
    Answer,
    AnswerFault,
    AnswerFinding,
    DiffLine,
    ObjectAnswer,
    PodAnswer,
    Question,
    QuotaAnswer,
)
from gpuplane.playground.cluster_facts import PlaygroundCluster, PlaygroundFacts, playground_cluster
from gpuplane.playground.pod_answers import pod_answers
from policies.admission import today
from policies.manifest_pod import manifest_pods
from policies.operation import copied

_AROUND = 3
"""Lines that are shown before and after a change, as diff has it."""
_MAX_EXACT = 500
"""Lines of a side up to which even frequent ones are used to find what belongs together. Time
grows with the cube of such lines: a pod of 14 KB with 200 containers took seconds."""
_BETWEEN = DiffLine("@", "")
MAX_LENGTH = 1024**2
"""Bytes of a manifest: more than an object of any size that etcd takes needs
(https://etcd.io/docs/v3.6/dev-guide/limit/)."""
MAX_PODS = 200
"""Pods and templates of pods in a manifest, whose answers are up to about 5 KiB each."""
_PASTED = "manifest"


def playground_answer(
    cluster: PlaygroundCluster, manifest: str, namespace: str | None, day: dt.date
) -> Answer:
    """Return what a cluster makes of a manifest; raises nothing, whatever it holds.

    `namespace` takes the place of those that objects name.
    """
    try:
        objects = _read(manifest)
    except SpecError as error:
        faults = ((each.mark, str(each.problem)) for each in error.faults)
        return Answer(faults=tuple(AnswerFault(m.line, m.column, what) for m, what in faults))
    written = [copied(one.document) for one in objects]
    admitted = [admit_object(cluster.rules, one, namespace, day) for one in objects]
    answers = [object_answer(cluster, *pair) for pair in zip(written, admitted, strict=True)]
    facts = cluster.facts
    return Answer(
        objects=tuple(answers),
        quotas=tuple(quota_answers(cluster, (pod for one in answers for pod in one.pods))),
        notes=tuple(admission_notes(admitted, facts.settings, facts.name)),
        unjudged=(
            *facts.unjudged,
            *(f"{rule} of {each.name}" for each in facts.workers for rule in each.unjudged),
        ),
    )


def _read(manifest: str) -> list[ManifestObject]:
    # Half of a pair of surrogates is not UTF-8, and is reported as that.
    content = manifest.encode(errors="surrogatepass")
    if len(content) > MAX_LENGTH:
        raise _too_much(f"{len(content)} bytes", MAX_LENGTH)
    objects, _ = read_objects([ManifestSource(_PASTED, content)])
    pods = sum(1 for one in objects for _ in manifest_pods(one.document))
    if pods > MAX_PODS:
        raise _too_much(f"{pods} pods and templates of pods", MAX_PODS)
    reviews = [one.mark for one in objects if one.document["kind"] == REVIEW_KIND]
    if reviews:
        problem = Problem((), f"an {REVIEW_KIND}", "the object in it")
        raise SpecError(Fault(mark, problem) for mark in reviews)
    return objects


def _too_much(what: str, most: int) -> SpecError:
    return SpecError([Fault(Mark(_PASTED, 1), Problem((), what, f"at most {most}"))])


def manifest_diff(before: Document, after: Document) -> tuple[DiffLine, ...]:
    """Return what differs, both sides written as YAML in the same way; nothing where they agree.

    So comments are left out, and anchors.
    """
    if before == after:
        return ()
    old, new = to_yaml(before).splitlines(), to_yaml(after).splitlines()
    lines: list[DiffLine] = []
    matcher = SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > _MAX_EXACT)
    for group in matcher.get_grouped_opcodes(_AROUND):
        if lines:
            lines.append(_BETWEEN)
        for tag, first, last, first_new, last_new in group:
            lines += _lines(tag, old[first:last], new[first_new:last_new])
    return tuple(lines)


def _lines(tag: str, old: list[str], new: list[str]) -> Iterator[DiffLine]:
    if tag == "equal":
        yield from (DiffLine(" ", line) for line in old)
        return
    yield from (DiffLine("-", line) for line in old)
    yield from (DiffLine("+", line) for line in new)


def object_answer(
    cluster: PlaygroundCluster, written: Document, admission: ObjectAdmission
) -> ObjectAnswer:
    """Return the answer about an object; `written` is it before the fixes."""
    after = written if admission.document is None else admission.document
    return ObjectAnswer(
        line=admission.mark.line,
        subject=admission.subject,
        namespace=admission.namespace,
        allowed=admission.allowed,
        findings=tuple(map(_finding, admission.findings)),
        diff=manifest_diff(written, after),
        pods=tuple(pod_answers(cluster, written, admission)),
    )


def _finding(found: AdmissionFinding) -> AnswerFinding:
    finding = found.outcome.finding
    return AnswerFinding(
        line=found.mark.line,
        pointer=found.pointer,
        cluster=found.cluster,
        effect=found.effect.value,
        rule=finding.rule.value,
        message=finding.message,
        remedy=finding.remedy,
    )


def quota_answers(cluster: PlaygroundCluster, pods: Iterable[PodAnswer]) -> Iterator[QuotaAnswer]:
    """Yield an answer for each GPU resource that they ask for in a namespace of a team."""
    asking: dict[tuple[str, str, str], list[PodAnswer]] = {}
    for pod in pods:
        for resource in pod.asks:
            asking.setdefault((pod.cluster, pod.namespace, resource), []).append(pod)
    for (worker, namespace, resource), together in asking.items():
        facts, _ = cluster.run_by(worker)
        counted = (pod.asks[resource] * (1 if pod.count is None else pod.count) for pod in together)
        if namespace in facts.quotas:
            yield QuotaAnswer(
                cluster=worker,
                namespace=namespace,
                resource=resource,
                asked=max(0, sum(counted)),
                at_least=any(pod.count is None for pod in together),
                quota=facts.quotas[namespace].get(resource, 0),
            )


class BrowserClusters:
    """The clusters of a page, which answer its questions where Pyodide runs this."""

    def __init__(self, facts: str) -> None:
        """`facts`: those of the clusters, in JSON."""
        read = msgspec.json.decode(facts, type=tuple[PlaygroundFacts, ...])
        self._clusters = {each.name: playground_cluster(each) for each in read}

    def answer(self, question: str) -> str:
        asked = msgspec.json.decode(question, type=Question)
        cluster = self._clusters[asked.cluster]
        answer = playground_answer(cluster, asked.manifest, asked.namespace or None, today())
        return msgspec.json.encode(answer).decode()
