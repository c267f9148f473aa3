"""What a DistributedTraining stands for on a cluster."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.cluster_file.fault import SpecError
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.distributed_training import StatedTraining, expand, read_training
from gpuplane.workloads.workload import new_workload
from tests.gpuplane.workloads.conftest import platform_named

REFUSED = yaml.safe_load(Path(__file__).with_name("refused_trainings.yaml").read_bytes())
EXAMPLE = Path(__file__).parents[3] / "examples" / "training" / "transformer.yaml"


def _stated(**spec: Any) -> StatedTraining:
    stated = read_training(EXAMPLE)
    changed = stated.training.spec.model_copy(update=spec)
    training = stated.training.model_copy(update={"spec": changed})
    return StatedTraining(training, stated.marks)


def test_it_is_the_train_job_that_gpuplane_new_prints() -> None:
    platform = platform_named("training")
    asked = Asked(
        kind="trainjob",
        name="transformer",
        team="research",
        namespace="research-training",
        gpu="H100-SXM",
        gpus=8,
        nodes=8,
        image="registry.example.com/research/transformer:1.4.0",
        hours=24,
        data="corpus",
        model="transformer",
    )
    assert expand(_stated(), platform) == new_workload(asked, platform)


@pytest.mark.parametrize(
    ("framework", "command", "jobs"),
    [
        ("torch", ["torchrun", "train.py"], ["node"]),
        ("jax", ["python", "train.py"], ["node"]),
        ("deepspeed", ["mpirun", "python", "train.py"], ["node", "launcher"]),
    ],
)
def test_a_framework_decides_the_runtime_and_what_starts_the_program(
    framework: str, command: list[str], jobs: list[str]
) -> None:
    job = expand(_stated(framework=framework), platform_named("training")).documents[-1]
    (patch,) = job["spec"]["runtimePatches"]
    patched = patch["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    assert job["spec"]["runtimeRef"] == {"name": f"{framework}-h100"}
    assert job["spec"]["trainer"]["command"] == command
    assert [each["name"] for each in patched] == jobs


@pytest.mark.parametrize(
    ("spec", "line", "said"),
    [
        *REFUSED["cluster"],
        ({"program": ["\ud800"]}, 8, 'spec.program: "\\ud800" is not UTF-8; allowed: '),
    ],
)
def test_what_a_cluster_does_not_have_is_told_of_the_field(
    spec: dict[str, Any], line: int, said: str
) -> None:
    with pytest.raises(SpecError) as caught:
        expand(_stated(**spec), platform_named("training"))
    (fault,) = caught.value.faults
    assert (fault.mark.line, str(fault.problem)[: len(said)]) == (line, said)


def test_a_namespace_that_the_cluster_does_not_have_is_told() -> None:
    with pytest.raises(SpecError) as caught:
        expand(_stated(), platform_named("inference"))
    (fault,) = caught.value.faults
    said = 'metadata.namespace: unknown namespace "research-training" in inference; allowed: '
    assert str(fault.problem).startswith(said)


def test_a_pool_without_a_runtime_is_told_of_the_field() -> None:
    metadata = read_training(EXAMPLE).training.metadata.model_copy(
        update={"namespace": "research-notebooks"}
    )
    stated = _stated(gpu_model="A10G")
    training = stated.training.model_copy(update={"metadata": metadata})
    with pytest.raises(SpecError) as caught:
        expand(StatedTraining(training, stated.marks), platform_named("training"))
    (fault,) = caught.value.faults
    said = (
        "spec.pool: no trainjob can be on pool a10g-notebooks: Trainer has runtimes for pools of "
    )
    assert str(fault.problem).startswith(said)


STATED = """\
apiVersion: gpuplane.io/v1alpha1
kind: DistributedTraining
metadata: {name: llama, namespace: research-training}
spec:
  image: registry.example.com/train:1.4
  workers: 8
  duration: 24h
"""


def test_a_file_states_a_training(tmp_path: Path) -> None:
    file = tmp_path / "llama.yaml"
    file.write_text(STATED)
    spec = read_training(file).training.spec
    assert (spec.workers, spec.hours, spec.framework, spec.checkpoint) == (8, 24, "torch", "100Gi")


@pytest.mark.parametrize(("before", "after", "line", "said"), REFUSED["file"])
def test_a_fault_is_told_with_its_line(
    tmp_path: Path, before: str, after: str, line: int, said: str
) -> None:
    file = tmp_path / "llama.yaml"
    assert before in STATED
    file.write_text(STATED.replace(before, after))
    with pytest.raises(SpecError) as caught:
        read_training(file)
    (fault,) = caught.value.faults
    assert (fault.mark.line, str(fault.problem)[: len(said)]) == (line, said)
