"""What is asked wrongly."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.quantity import bytes_of, millicpu_of
from charts_py.components.team.quota import quota_bounds
from charts_py.components.training_runtimes.definition import training_runtime
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.parse_request import compute_problems, parse_request
from gpuplane.workloads.place import Place
from gpuplane.workloads.reason import plain
from gpuplane.workloads.registry import BY_NAME, KINDS
from gpuplane.workloads.request import Request
from gpuplane.workloads.workload import new_workload
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import ask, asked_of, for_launchers, platform_named


def _refusal(platform: Platform, **fields: Any) -> str:
    return message_of(RenderError, new_workload, ask(**fields), platform)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        *yaml.safe_load((Path(__file__).parent / "refused_requests.yaml").read_bytes()),
        (
            {"program": ("train.py", "\udcff")},
            'PROGRAM: "\\udcff" is not UTF-8; allowed: arguments in UTF-8',
        ),
        ({"name": "a" * 48}, "may have at most 47"),
    ],
)
def test_it_is_told_with_what_is_allowed(fields: dict[str, Any], said: str) -> None:
    assert said in _refusal(platform_named("training"), **fields)


@pytest.mark.parametrize(
    "fields", [{"gpus": 9, "priority": "inference"}, {"pool": "h10"}, {"team": "reserch"}]
)
def test_all_that_is_wrong_is_told_at_once(fields: dict[str, Any]) -> None:
    wrong = {"hours": 0, "name": "A", "image": None, "framework": "jax"}
    told = [
        line.removeprefix("leave out ").split(":")[0]
        for line in _refusal(platform_named("training"), **fields, **wrong).splitlines()
    ]
    others = ["NAME", "--image", "--hours", "--framework"]
    first, *rest = (f"--{name}" for name in fields)
    assert told == [first, *others, *rest]


@pytest.mark.parametrize(
    ("fields", "namespace", "pool"),
    [
        ({}, "research-training", "h100"),
        ({"pool": "a10g-notebooks"}, "research-notebooks", "a10g-notebooks"),
        ({"gpu": "A10G"}, "research-notebooks", "a10g-notebooks"),
        ({"kind": "notebook", "gpu": "H100-SXM"}, "research-training", "h100"),
    ],
)
def test_a_pool_that_is_named_is_that_of_whichever_namespace_has_it(
    fields: dict[str, Any], namespace: str, pool: str
) -> None:
    *_, document = new_workload(ask(**fields), platform_named("training")).documents
    pod = document["spec"]["template"]["spec"]
    found = (document["metadata"]["namespace"], pod["nodeSelector"]["gpuplane.io/pool"])
    assert found == (namespace, pool)


def test_without_a_namespace_for_training_a_gang_is_in_one_for_batch_jobs(
    platform_after: PlatformWith,
) -> None:
    apps = "research-apps:\n        purpose: inference"
    platform = platform_after("queues", ("research-training:\n        purpose: training", apps))
    *_, job = new_workload(ask(kind="pytorchjob"), platform).documents
    assert job["metadata"]["namespace"] == "research-batch"


@pytest.fixture
def half_a_node(platform_after: PlatformWith) -> Platform:
    """Return a cluster whose only namespace may use two of the four GPUs of a node."""
    return platform_after("nvl72", ("{gb200: 72}", "{gb200: 2}"))


def test_a_quota_below_a_node_bounds_a_pod(half_a_node: Platform) -> None:
    asked = ask(kind="pytorchjob", team="simulation")
    job = new_workload(asked, half_a_node).documents[-1]
    worker = job["spec"]["pytorchReplicaSpecs"]["Worker"]
    (container,) = worker["template"]["spec"]["containers"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "2"


@pytest.mark.parametrize(
    "fields", [{"kind": "job", "gpus": 3}, {"kind": "trainjob"}], ids=["job", "trainjob"]
)
def test_a_quota_below_what_a_pod_asks_for_is_told(
    fields: dict[str, Any], half_a_node: Platform
) -> None:
    assert _refusal(half_a_node, **fields, team="simulation") == (
        "--gpus: rack-training may use 2 of pool gb200, fewer than a pod asks for; "
        "allowed: at most 2, or another pool"
    )


@pytest.fixture
def with_small_nodes(platform_after: PlatformWith) -> Platform:
    """Return a cluster whose team may use a pool with one GPU a node before one with several."""
    return platform_after("training", ("{h100: 32}", "{a10g: 2, h100: 32}"))


def test_a_trainjob_is_refused_on_a_pool_of_one_gpu_a_node(with_small_nodes: Platform) -> None:
    assert _refusal(with_small_nodes, kind="trainjob", pool="a10g") == (
        "--pool: no trainjob can be on pool a10g: Trainer has runtimes for pools of whole NVIDIA "
        "GPUs, several on a node; allowed: h100, another kind"
    )


def test_a_trainjob_is_refused_on_a_pool_of_amds_gpus() -> None:
    asked = {"kind": "trainjob", "team": "simulation", "pool": "mi300x"}
    said = "--pool: no trainjob can be on pool mi300x: Trainer has "
    assert _refusal(platform_named("onprem"), **asked).startswith(said)


def test_a_trainjob_is_on_the_first_pool_that_has_a_runtime(with_small_nodes: Platform) -> None:
    asked = ask(kind="trainjob", namespace="pretraining")
    job = new_workload(asked, with_small_nodes).documents[-1]
    assert job["spec"]["runtimeRef"] == {"name": "torch-h100"}


@pytest.mark.parametrize("kind", ["job", "trainjob"])
def test_jobs_that_go_to_workers_are_made_for_one_of_them(kind: str) -> None:
    manager = platform_named("sample-multikueue-manager")
    assert _refusal(manager, kind=kind, namespace="research-training") == (
        "--namespace: jobs of research-training run in the workers of multikueue-manager: "
        "multikueue-worker; allowed: make the manifest with --cluster multikueue-worker, and apply "
        "it in multikueue-manager"
    )


def test_a_runtime_that_claims_channels_is_refused_where_the_quota_has_less(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("nvl72", ("12Ti", "2Ti"))
    assert _refusal(platform, kind="trainjob", team="simulation", nodes=4) == (
        "--nodes: 4 pods of the runtime torch-gb200 (cpu: 129, memory: 749Gi each) are more than "
        "the quota of rack-training (cpu: 2000, memory: 2Ti); allowed: 1 to 2"
    )


@pytest.mark.parametrize(
    ("kind", "beside"), [("mpijob", "cpu: 1, memory: 4Gi"), ("rayjob", "cpu: 2, memory: 8Gi")]
)
def test_a_quota_that_leaves_no_cpus_to_pods_with_gpus_is_told(
    kind: str, beside: str, platform_after: PlatformWith
) -> None:
    platform = platform_after("nvl72", ("cpu: 2000", "cpu: 1"), ("12Ti", "4Gi"))
    assert _refusal(for_launchers(platform), kind=kind, team="simulation", gpus=1) == (
        "--nodes: the quota of rack-training (cpu: 1, memory: 4Gi) has nothing for each of 1 pods "
        f"with GPUs beside {beside} for those without; allowed: fewer pods, or more CPUs and "
        "memory in the quota"
    )


@pytest.fixture
def with_one_slice(platform_after: PlatformWith) -> Platform:
    """Return a cluster whose second namespace has of a mixed layout a profile that is not first."""
    return platform_after(
        "queues",
        ("{h100-spot: 4, h100: 0}", "{h100-spot: 4, a100-mixed: 1}"),
        ("          borrow: {h100: 0}\n", "          borrow: {a100-mixed: 0}\n"),
        ("{a100-mixed: 16, h100: 8}", "{a100-mixed: 1}"),
    )


def test_what_is_asked_for_is_what_the_namespace_has_of_a_mixed_layout(
    with_one_slice: Platform,
) -> None:
    job = new_workload(ask(team="serving"), with_one_slice).documents[-1]
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["resources"]["limits"]["nvidia.com/mig-2g.10gb"] == "1"


def test_a_profile_of_which_the_namespace_has_none_is_told(with_one_slice: Platform) -> None:
    assert _refusal(with_one_slice, team="serving", resource="nvidia.com/mig-1g.5gb") == (
        "--gpus: serving may use 0 nvidia.com/mig-1g.5gb of pool a100-mixed, fewer than a pod asks "
        "for; allowed: another resource, or pool"
    )


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
    place = Place(platform, one.namespace, one.pool, one.resource)
    for gpus in {one.gpus, min(place.most_gpus, place.capacity.quota)}:
        most = place.capacity.most_pods(gpus)
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
    elif document["kind"] == "LeaderWorkerSet":
        group = document["spec"]["leaderWorkerTemplate"]
        for name, count in (("leaderTemplate", 1), ("workerTemplate", group["size"] - 1)):
            yield group[name]["spec"]["containers"], count * document["spec"]["replicas"]
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
                # What ends before the others start takes nothing beside them.
                started = spec.get("initContainers", [])
                beside = [one for one in started if one.get("restartPolicy") == "Always"]
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
