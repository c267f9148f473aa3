"""What is asked wrongly."""

from collections.abc import Callable
from typing import Any

import pytest

from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.workload import new_workload
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import IMAGE, platform_named


def _asked(**fields: Any) -> Asked:
    usual = {"kind": "job", "name": "demo", "team": "research", "image": IMAGE}
    return Asked(**{**usual, **fields})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "jbo"}, 'unknown kind "jbo"; allowed: pod, job, '),
        ({"team": None}, "--team: missing; allowed: recommendations, research"),
        (
            {"team": "reserch"},
            (
                '--team: unknown team "reserch" in training; allowed: recommendations, research; '
                "nearest: research"
            ),
        ),
        (
            {"namespace": "recommendations"},
            (
                '--namespace: unknown namespace "recommendations" in team research; allowed: '
                "research-training, research-notebooks"
            ),
        ),
        (
            {"pool": "h10"},
            (
                '--pool: unknown pool "h10" in team research; allowed: h100, h100-spot, '
                "a10g-notebooks; nearest: h100"
            ),
        ),
        (
            {"pool": "a100-mixed"},
            "--pool: team research has no quota on pool a100-mixed; allowed: h100, h100-spot, ",
        ),
        (
            {"pool": "a10g-notebooks", "namespace": "research-training"},
            "--pool: research-training has no quota on pool a10g-notebooks; allowed: h100, h100-s",
        ),
        (
            {"gpu": "L4", "namespace": "research-training"},
            "--gpu: research-training has no quota on a pool of L4; allowed: H100-SXM",
        ),
        (
            {"gpu": "H10"},
            '--gpu: unknown GPU model "H10" in team research; allowed: A10G, H100-SXM',
        ),
        (
            {"gpu": "H100-SXM", "pool": "h100"},
            "--gpu: a pool is named, too; allowed: one of them",
        ),
        (
            {"resource": "gpu"},
            '--resource: unknown resource "gpu" in pool h100; allowed: nvidia.com/gpu',
        ),
        (
            {"gpus": 9},
            "--gpus: 9 is out of bounds: a pod can use 8 at most; allowed: 1 to 8; more by --nodes",
        ),
        (
            {"gpus": 0},
            "--gpus: 0 is out of bounds: each pod that computes has some; allowed: 1 to 8",
        ),
        (
            {"gpus": 8, "nodes": 13},
            (
                "--nodes: 13 pods with 8 each are more than pool h100 and the quota of "
                "research-training hold; allowed: 1 to 12"
            ),
        ),
        (
            {
                "team": "recommendations",
                "pool": "a100-mixed",
                "resource": "nvidia.com/mig-3g.40gb",
                "nodes": 40,
            },
            (
                "--nodes: 40 pods with 1 nvidia.com/mig-3g.40gb each are more than pool a100-mixed "
                "and the quota of recommendations hold; allowed: 1 to 32"
            ),
        ),
        ({"nodes": 0}, "--nodes: 0 is out of bounds; allowed: at least 1"),
        (
            {"kind": "trainjob", "gpus": 4},
            "--gpus: a trainjob takes all GPUs of a node of pool h100; allowed: 8",
        ),
        (
            {"kind": "trainjob", "namespace": "research-notebooks"},
            (
                "--pool: no trainjob can be on pool a10g-notebooks: Trainer has runtimes for pools "
                "of whole NVIDIA GPUs, several on a node; allowed: another kind"
            ),
        ),
        (
            {"kind": "trainjob", "pool": "a10g-notebooks"},
            "--pool: no trainjob can be on pool a10g-notebooks: ",
        ),
        (
            {"kind": "notebook", "hours": 8},
            "--hours: a notebook has no end of its own; allowed: nothing",
        ),
        (
            {"kind": "raycluster", "program": ("a.py",)},
            "PROGRAM: a raycluster runs none of its own; allowed: nothing",
        ),
        ({"kind": "pod", "nodes": 2}, "--nodes: a pod is one pod; allowed: 1"),
        (
            {"namespace": "research-notebooks", "gpus": 2},
            "--gpus: 2 is out of bounds: a pod can use 1 at most; allowed: 1; more by --nodes",
        ),
        ({"image": None}, "--image: missing; allowed: an image with the program and its libraries"),
        (
            {"image": "registry.example.com/Train:1"},
            '--image: "registry.example.com/Train:1" is not the name of an image; allowed: such as',
        ),
        ({"image": "demo:1"}, "is not from an allowed registry"),
        (
            {"program": ("train.py", "\udcff")},
            'PROGRAM: "\\udcff" is not UTF-8; allowed: arguments in UTF-8',
        ),
        (
            {"storage_class": "Fast"},
            '--storage-class: "Fast" is not a valid name for a storage class; allowed: ',
        ),
        (
            {"storage_class": "fast", "checkpoint": "none"},
            "--storage-class: there is no volume with --checkpoint none; allowed: one of both",
        ),
        ({"hours": 0}, "--hours: 0 is out of bounds; allowed: 1 to 8760"),
        (
            {"priority": "inference"},
            '--priority: "inference" is not among those of team research; allowed: training, ',
        ),
        ({"checkpoint": "100"}, "--checkpoint: 100 has no unit; allowed: "),
        (
            {"checkpoint": "300Ti"},
            (
                "--checkpoint: 300Ti is out of bounds: the quota of research-training is 200Ti; "
                "allowed: above 0, at most 200Ti, or none"
            ),
        ),
        (
            {"checkpoint": "0Gi"},
            (
                "--checkpoint: 0Gi is out of bounds: the quota of research-training is 200Ti; "
                "allowed: above 0, at most 200Ti, or none"
            ),
        ),
        (
            {"kind": "trainjob", "framework": "mpi"},
            "--framework: no pool has a runtime of mpi; allowed: once training.trainer.images has ",
        ),
        (
            {"kind": "trainjob", "framework": "deepspeed", "nodes": 1},
            (
                "--nodes: beside the pod of deepspeed that launches, and computes, is a worker; "
                "allowed: at least 2"
            ),
        ),
        (
            {"kind": "trainjob", "framework": "PyTorch"},
            '--framework: unknown framework "PyTorch"; allowed: torch, deepspeed, jax; nearest: to',
        ),
        (
            {"kind": "trainjob", "framework": "tensorflow"},
            '--framework: unknown framework "tensorflow"; a tfjob runs it; allowed: torch, deepsp',
        ),
        (
            {"kind": "trainjob", "framework": "jaxx"},
            '--framework: unknown framework "jaxx"; allowed: torch, deepspeed, jax; nearest: jax',
        ),
        (
            {"framework": "jax"},
            "--framework: a job has none to choose; allowed: none, or a trainjob",
        ),
        ({"data": "Corpus"}, '--data: "Corpus" is not a valid name for a claim; allowed: '),
        ({"model": "-"}, '--model: "-" is not a valid name for a model; allowed: '),
        ({"name": "Demo"}, 'NAME: "Demo" is not a valid name for a workload; allowed: '),
        ({"name": "a" * 48}, "may have at most 47"),
    ],
)
def test_it_is_told_with_what_is_allowed(fields: dict[str, Any], said: str) -> None:
    message = message_of(RenderError, new_workload, _asked(**fields), platform_named("training"))
    assert said in message


@pytest.mark.parametrize(
    "fields",
    [{"gpus": 9, "priority": "inference"}, {"pool": "h10"}, {"team": "reserch"}],
)
def test_all_that_is_wrong_is_told_at_once(fields: dict[str, Any]) -> None:
    wrong = {"hours": 0, "name": "A", "image": None, "framework": "jax"}
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(**fields, **wrong), platform_named("training"))
    told = [line.split(":")[0] for line in str(caught.value).splitlines()]
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
    *_, document = new_workload(_asked(**fields), platform_named("training")).documents
    pod = document["spec"]["template"]["spec"]
    found = (document["metadata"]["namespace"], pod["nodeSelector"]["gpuplane.io/pool"])
    assert found == (namespace, pool)


@pytest.fixture
def half_a_node(sample: Callable[..., str], platform_of: Callable[[str], Platform]) -> Platform:
    """Return a cluster whose only namespace may use two of the four GPUs of a node."""
    return platform_of(sample("nvl72", ("{gb200: 72}", "{gb200: 2}")))


def test_a_quota_below_a_node_bounds_a_pod(half_a_node: Platform) -> None:
    asked = _asked(kind="pytorchjob", team="simulation")
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
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(**fields, team="simulation"), half_a_node)
    assert str(caught.value) == (
        "--gpus: rack-training may use 2 of pool gb200, fewer than a pod asks for; "
        "allowed: at most 2, or another pool"
    )


@pytest.fixture
def with_small_nodes(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> Platform:
    """Return a cluster whose team may use a pool with one GPU a node before one with several."""
    return platform_of(sample("training", ("{h100: 32}", "{a10g: 2, h100: 32}")))


def test_a_trainjob_is_refused_on_a_pool_of_one_gpu_a_node(with_small_nodes: Platform) -> None:
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(kind="trainjob", pool="a10g"), with_small_nodes)
    assert str(caught.value) == (
        "--pool: no trainjob can be on pool a10g: Trainer has runtimes for pools of whole NVIDIA "
        "GPUs, several on a node; allowed: h100, another kind"
    )


def test_a_trainjob_is_refused_on_a_pool_of_amds_gpus() -> None:
    with pytest.raises(RenderError) as caught:
        new_workload(
            _asked(kind="trainjob", team="simulation", pool="mi300x"), platform_named("onprem")
        )
    assert str(caught.value).startswith("--pool: no trainjob can be on pool mi300x: Trainer has ")


def test_a_trainjob_is_on_the_first_pool_that_has_a_runtime(with_small_nodes: Platform) -> None:
    asked = _asked(kind="trainjob", namespace="pretraining")
    job = new_workload(asked, with_small_nodes).documents[-1]
    assert job["spec"]["runtimeRef"] == {"name": "torch-h100"}


@pytest.mark.parametrize("kind", ["job", "trainjob"])
def test_jobs_that_go_to_workers_are_made_for_one_of_them(kind: str) -> None:
    manager = platform_named("sample-multikueue-manager")
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(kind=kind, namespace="research-training"), manager)
    assert str(caught.value) == (
        "--namespace: jobs of research-training run in the workers of multikueue-manager: "
        "multikueue-worker; allowed: make the manifest with --cluster multikueue-worker, and apply "
        "it in multikueue-manager"
    )


def test_a_runtime_that_claims_channels_is_refused_where_the_quota_has_less(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    platform = platform_of(sample("nvl72", ("12Ti", "2Ti")))
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(kind="trainjob", team="simulation", nodes=4), platform)
    assert str(caught.value) == (
        "--nodes: 4 pods of the runtime torch-gb200 (cpu: 129, memory: 749Gi each) are more than "
        "the quota of rack-training (cpu: 2000, memory: 2Ti); allowed: 1 to 2"
    )


@pytest.mark.parametrize(
    ("kind", "beside"),
    [("mpijob", "cpu: 1, memory: 4Gi"), ("rayjob", "cpu: 2, memory: 8Gi")],
)
def test_a_quota_that_leaves_no_cpus_to_pods_with_gpus_is_told(
    kind: str, beside: str, sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    platform = platform_of(sample("nvl72", ("cpu: 2000", "cpu: 1"), ("12Ti", "4Gi")))
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(kind=kind, team="simulation", gpus=1), platform)
    assert str(caught.value) == (
        "--nodes: the quota of rack-training (cpu: 1, memory: 4Gi) has nothing for each of 1 pods "
        f"with GPUs beside {beside} for those without; allowed: fewer pods, or more CPUs and "
        "memory in the quota"
    )


@pytest.fixture
def with_one_slice(sample: Callable[..., str], platform_of: Callable[[str], Platform]) -> Platform:
    """Return a cluster whose second namespace has of a mixed layout a profile that is not first."""
    return platform_of(
        sample(
            "queues",
            ("{h100-spot: 4, h100: 0}", "{h100-spot: 4, a100-mixed: 1}"),
            ("          borrow: {h100: 0}\n", "          borrow: {a100-mixed: 0}\n"),
            ("{a100-mixed: 16, h100: 8}", "{a100-mixed: 1}"),
        )
    )


def test_what_is_asked_for_is_what_the_namespace_has_of_a_mixed_layout(
    with_one_slice: Platform,
) -> None:
    job = new_workload(_asked(team="serving"), with_one_slice).documents[-1]
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["resources"]["limits"]["nvidia.com/mig-2g.10gb"] == "1"


def test_a_profile_of_which_the_namespace_has_none_is_told(with_one_slice: Platform) -> None:
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(team="serving", resource="nvidia.com/mig-1g.5gb"), with_one_slice)
    assert str(caught.value) == (
        "--gpus: serving may use 0 nvidia.com/mig-1g.5gb of pool a100-mixed, fewer than a pod asks "
        "for; allowed: another resource, or pool"
    )
