"""How many pods a workload makes of one of its templates, as far as its manifest says so."""

from collections.abc import Iterator, Mapping
from math import prod

from policies.document import Document, Json, elements, members, text, unescaped

_COUNTED = {
    ("", "Pod"),
    *(("apps", kind) for kind in ("Deployment", "ReplicaSet", "StatefulSet")),
    *(("batch", kind) for kind in ("CronJob", "Job")),
    ("jobset.x-k8s.io", "JobSet"),
    *(
        ("kubeflow.org", kind)
        for kind in ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")
    ),
}
"""Kinds whose pods are what `replicas` and `parallelism` above a template multiply to, each of them
1 where it is not stated. Others count in ways of their own, or leave it to an autoscaler."""


def pod_count(workload: Document, pointer: str) -> int | None:
    """Return how many pods there are of the template that a JSON Pointer leads to.

    Of a job, those that run at once. None where the manifest does not say so.
    """
    group, slash, _ = text(workload.get("apiVersion")).partition("/")
    if (group if slash else "", text(workload.get("kind"))) not in _COUNTED:
        return None
    return prod(count for holder in _above(workload, pointer) for count in _counts(holder))


def _above(workload: Document, pointer: str) -> Iterator[Mapping[str, Json]]:
    """Yield the objects on the way to a template, without itself."""
    here: Json = workload
    for step in pointer.split("/")[1:]:
        yield members(here)
        name = unescaped(step)
        here = members(here).get(name) if type(here) is dict else elements(here)[int(name)]


def _counts(holder: Mapping[str, Json]) -> Iterator[int]:
    replicas, parallelism = holder.get("replicas"), holder.get("parallelism")
    if type(replicas) is int:
        yield replicas
    if type(parallelism) is int:
        completions = holder.get("completions")
        yield min(parallelism, completions) if type(completions) is int else parallelism
