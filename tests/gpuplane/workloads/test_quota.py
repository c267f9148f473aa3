"""All pods that a manifest makes fit into the quota of its namespace at once."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from charts_py.cluster_file.cpu_quantity import millicpu_of
from charts_py.cluster_file.quantity import bytes_of
from charts_py.components.team.quota import quota_bounds
from charts_py.components.training_runtimes.definition import training_runtime
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads import choices
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.parse_request import compute_problems, parse_request
from gpuplane.workloads.reason import plain
from gpuplane.workloads.registry import BY_NAME, KINDS
from gpuplane.workloads.request import Request
from tests.gpuplane.workloads.conftest import asked_of


def test_pods_of_the_largest_workload_are_within_the_quota(platform: Platform) -> None:
    beyond = [
        (kind.name, request.namespace.name, request.pool.name, request.nodes, name, bounds[name])
        for kind in KINDS
        for asked in asked_of(kind.name, platform)
        for request in _largest(asked, platform)
        for taken, bounds in [(_taken(kind, request), quota_bounds(platform, request.namespace))]
        for name in taken.keys() & bounds.keys()
        if taken[name] > _amount(name, bounds[name])
    ]
    assert beyond == []


def _largest(asked: Asked, platform: Platform) -> Iterator[Request]:
    """Yield the workload with as many pods as there is room for: of one GPU, and of whole nodes."""
    kind = BY_NAME[asked.kind]
    one = parse_request(asked, kind, platform)
    quota = choices.quota_of(platform, one.namespace, one.pool, one.resource)
    for gpus in {one.gpus, min(choices.most_gpus(one.resource), quota)}:
        most = choices.most_nodes(platform, one.namespace, one.pool, one.resource, gpus)
        request = replace(one, gpus=gpus, nodes=most if kind.spreads else 1)
        if not [*compute_problems(request), *kind.problems(request)]:
            yield request


def _taken(kind: Kind, request: Request) -> Counter[str]:
    """Return what the pods of a workload take of the quota, all together."""
    taken: Counter[str] = Counter()
    for document in map(plain, kind.build(request)):
        for containers, count in _pods(document, request):
            for container in containers:
                taken.update(_counted(container["resources"], count))
    return taken


def _pods(document: Document, request: Request) -> Iterator[tuple[list[Any], int]]:
    """Yield the containers of each template, and how many pods are made of it."""
    if document["kind"] == "Pod":
        yield document["spec"]["containers"], 1
    elif document["kind"] == "TrainJob":
        yield [{"resources": _of_node(document["spec"]["trainer"], request)}], request.nodes
    else:
        yield from _templates(document)


def _templates(part: Any) -> Iterator[tuple[list[Any], int]]:
    if isinstance(part, list):
        for each in part:
            yield from _templates(each)
    elif isinstance(part, Mapping):
        for name in ("template", "submitterPodTemplate"):
            spec = part.get(name, {}).get("spec", {})
            if "containers" in spec:
                count = part.get("parallelism", part.get("replicas", 1))
                beside = spec.get("initContainers", [])
                yield [*spec["containers"], *beside], 1 if "Template" in name else count
        for each in part.values():
            yield from _templates(each)


def _of_node(trainer: Document, request: Request) -> Document:
    """Return the resources of a node of a TrainJob: the runtime's, and over them its own."""
    assert request.framework is not None
    runtime = training_runtime(request.platform, request.pool, request.framework, "image")
    (job, *_) = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    (container,) = job["template"]["spec"]["template"]["spec"]["containers"]
    stated = trainer.get("resourcesPerNode", {})
    return {
        name: {**container["resources"][name], **stated.get(name, {})}
        for name in ("requests", "limits")
    }


def _counted(resources: Document, count: int) -> dict[str, int]:
    return {
        f"{side}.{name}": count * _amount(name, amount)
        for side in ("requests", "limits")
        for name, amount in resources[side].items()
    }


def _amount(resource: str, amount: str) -> int:
    if resource.endswith("memory"):
        return bytes_of(amount)
    return millicpu_of(amount) if resource.endswith("cpu") else int(amount)
