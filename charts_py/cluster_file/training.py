"""Frameworks that run jobs of several nodes."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.charts import DIGEST, PART, REGISTRY, TAG
from charts_py.cluster_file.strict_model import StrictModel

_RuntimeImage = Annotated[
    str,
    Field(
        pattern=rf"^{REGISTRY}/{PART}(/{PART})*(:{TAG}(@{DIGEST})?|@{DIGEST})$",
        examples=["registry.example.com/training/torch:2.13.0-efa"],
    ),
]
"""With its registry, and a tag or a digest."""


class Framework(StrEnum):
    """What starts the processes of a training job, and lets them find each other."""

    TORCH = "torch"
    DEEPSPEED = "deepspeed"
    JAX = "jax"
    MPI = "mpi"


class JobSet(StrictModel):
    """JobSet, which runs several Jobs as one; `{}` has it with defaults."""


class Trainer(StrictModel):
    """Kubeflow Trainer, version 2, with JobSet; `{}` has it with defaults."""

    images: dict[Framework, _RuntimeImage] = Field(default_factory=dict)
    """Image of the runtimes of a framework, for jobs that name none; by default that of Kubeflow's
    own runtime, and for `mpi` none, so that it has no runtimes. It brings what the network of the
    pools needs, such as libfabric and NCCL's plugin for EFA, which the defaults lack."""


class TrainingOperator(StrictModel):
    """Kubeflow's training operator, the first version; `{}` has it with defaults."""


class LeaderWorkerSet(StrictModel):
    """LeaderWorkerSet, for models on several nodes each; `{}` has it with defaults."""


class Ray(StrictModel):
    """KubeRay, which runs Ray clusters, jobs and services; `{}` has it with defaults."""


class Training(StrictModel):
    """Frameworks that run jobs of several nodes, each of which is installed where it is named."""

    trainer: Trainer | None = None
    """Kubeflow Trainer (TrainJob), with a runtime for every pool and framework. It brings
    JobSet."""
    job_set: JobSet | None = None
    """JobSet, for teams that write JobSets themselves."""

    training_operator: TrainingOperator | None = None
    """Kubeflow's training operator (PyTorchJob, TFJob, MPIJob, XGBoostJob of version 1), for what
    is written for it already. With `charts.mirror` only where `gitops.charts` is `rendered`."""
    leader_worker_set: LeaderWorkerSet | None = None
    """LeaderWorkerSet, for models that are served on several nodes."""
    ray: Ray | None = None
    """KubeRay (RayCluster, RayJob, RayService)."""

    @property
    def has_job_set(self) -> bool:
        """Whether JobSet is installed."""
        return self.trainer is not None or self.job_set is not None
