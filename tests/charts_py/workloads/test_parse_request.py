"""What is asked wrongly."""

from typing import Any

import pytest

from charts_py.platform.render_error import RenderError
from charts_py.workloads.asked import Asked
from charts_py.workloads.workload import new_workload
from tests.charts_py.workloads.conftest import IMAGE, platform_named


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
                '--namespace: unknown namespace "recommendations"; allowed: research-training, '
                "research-notebooks"
            ),
        ),
        ({"pool": "h10"}, '--pool: unknown pool "h10"; allowed: h100, h100-spot; nearest: h100'),
        (
            {"gpu": "L4"},
            '--gpu: unknown GPU model "L4" in research-training; allowed: H100-SXM',
        ),
        (
            {"gpu": "H100-SXM", "pool": "h100"},
            "--gpu: a pool is named, too; allowed: one of them",
        ),
        ({"resource": "gpu"}, '--resource: unknown resource "gpu"; allowed: nvidia.com/gpu'),
        (
            {"gpus": 9},
            "--gpus: 9 is out of bounds: a pod can use 8 at most; allowed: 1 to 8; more by --nodes",
        ),
        ({"gpus": 0}, "--gpus: 0 is out of bounds: a pod can use 8 at most; allowed: 1 to 8"),
        (
            {"gpus": 8, "nodes": 13},
            (
                "--nodes: 13 pods with 8 each are more than pool h100 and the quota of "
                "research-training hold; allowed: 1 to 12"
            ),
        ),
        ({"nodes": 0}, "--nodes: 0 is out of bounds; allowed: at least 1"),
        (
            {"kind": "trainjob", "gpus": 4},
            "--gpus: a trainjob takes all GPUs of a node of pool h100; allowed: 8",
        ),
        (
            {"kind": "trainjob", "namespace": "research-notebooks"},
            "--pool: a trainjob takes whole nodes, and pool a10g-notebooks gives out parts of GPUs",
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
        ({"image": "demo:1"}, "is not from an allowed registry"),
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
                "allowed: at most 200Ti, or none"
            ),
        ),
        (
            {"kind": "trainjob", "framework": "mpi"},
            "--framework: no pool has a runtime of mpi; allowed: once training.trainer.images has ",
        ),
        (
            {"kind": "trainjob", "framework": "jaxx"},
            '--framework: unknown framework "jaxx"; allowed: torch, deepspeed, jax; nearest: jax',
        ),
        ({"framework": "jax"}, "--framework: a job has none; allowed: a trainjob"),
        ({"data": "Corpus"}, '--data: "Corpus" is not a valid name for a claim; allowed: '),
        ({"model": "-"}, '--model: "-" is not a valid name for a model; allowed: '),
        ({"name": "Demo"}, 'NAME: "Demo" is not a valid name for a workload; allowed: '),
        ({"name": "a" * 48}, "may have at most 47"),
    ],
)
def test_it_is_told_with_what_is_allowed(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(**fields), platform_named("training"))
    assert said in str(caught.value)


def test_all_that_is_wrong_with_numbers_and_names_is_told_at_once() -> None:
    with pytest.raises(RenderError) as caught:
        new_workload(_asked(gpus=9, hours=0, name="A", image=None), platform_named("training"))
    told = [line.split(":")[0] for line in str(caught.value).splitlines()]
    assert told == ["--gpus", "NAME", "--image", "--hours"]
