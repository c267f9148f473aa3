"""The answer of a cluster to a manifest: one function for the local server and for browsers."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError, counted
from charts_py.objects.document import Document
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
from gpuplane.edits.edited_text import split_documents
from gpuplane.playground.answer import (
    Answer,
    AnswerFault,
    AnswerFinding,
    ObjectAnswer,
    PodAnswer,
    Question,
    QuotaAnswer,
)
from gpuplane.playground.cluster_facts import PlaygroundCluster, PlaygroundFacts, playground_cluster
from gpuplane.playground.fixed_manifest import FixedManifest, fixed_manifest, manifest_diff
from gpuplane.playground.pod_answers import pod_answers
from policies.admission import today
from policies.manifest_pod import manifest_pods
from policies.operation import copied

MAX_LENGTH = 1024**2
"""Bytes of a manifest: more than an object of any size that etcd takes needs
(https://etcd.io/docs/v3.6/dev-guide/limit/)."""
MAX_FAULTS = 100
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
        return Answer(faults=tuple(_faults(error.faults)))
    written = [copied(one.document) for one in objects]
    admitted = [admit_object(cluster.rules, one, namespace, day) for one in objects]
    texts = split_documents(manifest)
    fixed = [
        fixed_manifest(texts[one.index], before, admission, len(manifest))
        for one, before, admission in zip(objects, written, admitted, strict=True)
    ]
    answers = [object_answer(cluster, *each) for each in zip(written, admitted, fixed, strict=True)]
    facts = cluster.facts
    return Answer(
        objects=tuple(answers),
        quotas=tuple(quota_answers(cluster, (pod for one in answers for pod in one.pods))),
        fixed=_joined(texts, {one.index: each for one, each in zip(objects, fixed, strict=True)}),
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


def _faults(faults: Sequence[Fault]) -> Iterator[AnswerFault]:
    for each in faults[:MAX_FAULTS]:
        yield AnswerFault(each.mark.line, each.mark.column, str(each.problem))
    if (more := len(faults) - MAX_FAULTS) > 0:
        line = faults[MAX_FAULTS].mark.line
        yield AnswerFault(line, 0, f"and {counted(more, 'more fault')} from here on")


def _too_much(what: str, most: int) -> SpecError:
    return SpecError([Fault(Mark(_PASTED, 1), Problem((), what, f"at most {most}"))])


def _joined(texts: Sequence[str], fixed: Mapping[int, FixedManifest]) -> str:
    """Return all documents of a file with their fixes; empty where there are none."""
    if all(each.before == each.after for each in fixed.values()):
        return ""
    after = dict(enumerate(texts))
    for index, each in fixed.items():
        is_anew = index > 0 and each.before != texts[index]
        after[index] = f"---\n{each.after}" if is_anew else each.after
    return "".join(after.values())


def object_answer(
    cluster: PlaygroundCluster, written: Document, admission: ObjectAdmission, fixed: FixedManifest
) -> ObjectAnswer:
    """Return the answer about an object; `written` is it before the fixes."""
    return ObjectAnswer(
        line=admission.mark.line,
        subject=admission.subject,
        namespace=admission.namespace,
        allowed=admission.allowed,
        findings=tuple(map(_finding, admission.findings)),
        diff=manifest_diff(fixed),
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
    """Yield an answer for each GPU resource that pods of a team ask for of the same pools."""
    asking: dict[tuple[str, str, str, tuple[str, ...]], list[PodAnswer]] = {}
    for pod in pods:
        holding = tuple(pool.pool for pool in pod.pools if not pool.reason)
        for resource in pod.asks if holding else ():
            asking.setdefault((pod.cluster, pod.namespace, resource, holding), []).append(pod)
    for (worker, namespace, resource, holding), together in asking.items():
        facts, _ = cluster.run_by(worker)
        counted = (pod.asks[resource] * (1 if pod.count is None else pod.count) for pod in together)
        if namespace in facts.quotas:
            quotas = facts.quotas[namespace]
            yield QuotaAnswer(
                cluster=worker,
                namespace=namespace,
                resource=resource,
                asked=max(0, sum(counted)),
                at_least=any(pod.count is None for pod in together),
                pools={pool: quotas.get(pool, {}).get(resource, 0) for pool in holding},
                enforced=facts.enforced[namespace].get(resource, 0),
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
