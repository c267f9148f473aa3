"""The answer of a cluster to a manifest: one function for the local server and for browsers."""

import datetime as dt
from collections.abc import Iterator

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.admission.manifest_sources import ManifestSource
from gpuplane.admission.object_admission import (
    REVIEW_KIND,
    admission_notes,
    admit_object,
    read_objects,
)
from gpuplane.playground.answer import Answer, AnswerFault
from gpuplane.playground.cluster_facts import ClusterFacts
from gpuplane.playground.object_answer import object_answer
from gpuplane.playground.playground_cluster import PlaygroundCluster
from gpuplane.playground.quota_answers import quota_answers
from policies.apply import copied
from policies.manifest_pod import manifest_pods

MAX_LENGTH = 1024**2
"""Bytes of a manifest: more than an object of any size that etcd takes needs
(https://etcd.io/docs/v3.6/dev-guide/limit/)."""
MAX_PODS = 200
"""Pods and templates of pods in a manifest, whose answers are up to about 5 KiB each."""
_PASTED = "manifest"


def playground_answer(
    cluster: PlaygroundCluster, manifest: str, namespace: str | None, today: dt.date
) -> Answer:
    """Return what a cluster makes of a manifest; raises nothing, whatever it holds.

    `namespace` takes the place of those that objects name.
    """
    try:
        objects = _read(manifest)
    except SpecError as error:
        return Answer(faults=tuple(map(_fault, error.faults)))
    written = [copied(one.document) for one in objects]
    admitted = [admit_object(cluster.rules, one, namespace, today) for one in objects]
    answers = [object_answer(cluster, *pair) for pair in zip(written, admitted, strict=True)]
    facts = cluster.facts
    return Answer(
        objects=tuple(answers),
        quotas=tuple(quota_answers(cluster, (pod for one in answers for pod in one.pods))),
        notes=tuple(admission_notes(admitted, facts.settings, facts.name)),
        unjudged=tuple(_unjudged(facts)),
    )


def _unjudged(facts: ClusterFacts) -> Iterator[str]:
    yield from facts.unjudged
    for worker in facts.workers:
        yield from (f"{rule} of {worker.name}" for rule in worker.unjudged)


def _read(manifest: str) -> list[ManifestObject]:
    # Half of a pair of surrogates is not UTF-8, and is reported as that.
    content = manifest.encode(errors="surrogatepass")
    if len(content) > MAX_LENGTH:
        problem = Problem((), f"{len(content)} bytes", f"at most {MAX_LENGTH}")
        raise SpecError([Fault(Mark(_PASTED, 1), problem)])
    objects = read_objects([ManifestSource(_PASTED, content)])
    pods = sum(1 for one in objects for _ in manifest_pods(one.document))
    if pods > MAX_PODS:
        problem = Problem((), f"{pods} pods and templates of pods", f"at most {MAX_PODS}")
        raise SpecError([Fault(Mark(_PASTED, 1), problem)])
    reviews = [one.mark for one in objects if one.document["kind"] == REVIEW_KIND]
    if reviews:
        problem = Problem((), f"an {REVIEW_KIND}", "the object in it")
        raise SpecError(Fault(mark, problem) for mark in reviews)
    return objects


def _fault(fault: Fault) -> AnswerFault:
    return AnswerFault(fault.mark.line, fault.mark.column, str(fault.problem))
