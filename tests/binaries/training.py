"""Kubeflow Trainer, JobSet and the training operator, as their projects release them."""

from dataclasses import dataclass
from pathlib import Path

from tests.binaries.pinned_module import MODULE_TRAINING, MODULE_TRAINING_OPERATOR
from tests.binaries.pinned_program import PinnedProgram

_OPERATOR_MODULE = "github.com/kubeflow/training-operator"
TRAINING_OPERATOR_VERSION = MODULE_TRAINING_OPERATOR.version(_OPERATOR_MODULE)
TRAINING_OPERATOR = PinnedProgram(
    "training-operator",
    f"{_OPERATOR_MODULE}/cmd/training-operator.v1",
    module=MODULE_TRAINING_OPERATOR,
)
_TRAINER_MODULE = "github.com/kubeflow/trainer/v2"
_JOB_SET_MODULE = "sigs.k8s.io/jobset"
TRAINER = PinnedProgram(
    "trainer-controller-manager",
    f"{_TRAINER_MODULE}/cmd/trainer-controller-manager",
    module=MODULE_TRAINING,
)
JOB_SET = PinnedProgram("jobset", _JOB_SET_MODULE, module=MODULE_TRAINING)


@dataclass(frozen=True, slots=True)
class TrainingPrograms:
    """The controllers of training jobs, with the definitions of their kinds and their webhooks."""

    trainer: Path
    job_set: Path
    crds: tuple[Path, ...]
    trainer_webhooks: Path
    job_set_webhooks: Path


def build_training_programs() -> TrainingPrograms:
    """Return the programs, built where they are missing; raise BuildError."""
    trainer, job_set = (
        MODULE_TRAINING.source(_TRAINER_MODULE) / "manifests" / "base",
        MODULE_TRAINING.source(_JOB_SET_MODULE) / "config" / "components",
    )
    crds = (trainer / "crds").glob("trainer.*.yaml"), (job_set / "crd" / "bases").glob("*.yaml")
    return TrainingPrograms(
        trainer=TRAINER.build(),
        job_set=JOB_SET.build(),
        crds=tuple(sorted(file for files in crds for file in files)),
        trainer_webhooks=trainer / "webhook" / "manifests.yaml",
        job_set_webhooks=job_set / "webhook" / "manifests.yaml",
    )
