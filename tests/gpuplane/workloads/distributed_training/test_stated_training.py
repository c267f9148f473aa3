"""Files with a DistributedTraining, and what is wrong with them."""

from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.workloads.distributed_training.stated_training import read_training

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


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        (
            "workers: 8",
            "worker: 8",
            6,
            (
                'spec.worker: unknown field "worker"; allowed: framework, model, image, program, '
                "gpuModel, pool, workers, gpusPerWorker, duration, data, checkpoint, priority; "
                "nearest: workers"
            ),
        ),
        (
            "workers: 8",
            "workers: 0",
            6,
            "spec.workers: 0 is out of bounds; allowed: a whole number, at least 1, at most 100000",
        ),
        (
            "workers: 8",
            'workers: "8"',
            6,
            'spec.workers: "8" is a string; allowed: a whole number, at least 1, at most 100000',
        ),
        ("duration: 24h", "duration: 1d", 7, 'spec.duration: "1d" has the wrong format'),
        (
            "duration: 24h",
            "framework: jaxx",
            7,
            'spec.framework: unknown "jaxx"; allowed: torch, deepspeed, jax, mpi; nearest: jax',
        ),
        ("  image: registry.example.com/train:1.4\n", "", 4, "spec.image: missing"),
        ("name: llama, ", "", 3, "metadata.name: missing"),
        (
            "v1alpha1",
            "v1",
            1,
            (
                'apiVersion: unknown "gpuplane.io/v1"; allowed: gpuplane.io/v1alpha1; '
                "nearest: gpuplane.io/v1alpha1"
            ),
        ),
    ],
)
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
