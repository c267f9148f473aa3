"""Frameworks that run jobs of several nodes."""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from charts_py.cluster_file.gitops import IMAGE
from charts_py.cluster_file.strict_model import (
    MAX_GPUS_PER_NODE,
    MAX_NODES,
    StrictModel,
    added_later,
)
from charts_py.cluster_file.text_forms import LabelValue, NamespaceName, ObjectName


class Framework(StrEnum):
    """What starts the processes of a training job, and lets them find each other."""

    TORCH = "torch"
    DEEPSPEED = "deepspeed"
    JAX = "jax"
    MPI = "mpi"


_RuntimeImage = Annotated[
    str, Field(pattern=IMAGE, examples=["registry.example.com/training/torch:2.13.0-efa"])
]
"""An image with its registry, and a tag or a digest."""


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

    mpi_jobs: bool = added_later(False)
    """Run MPIJobs of version 1, too. Their launcher starts processes by `kubectl exec`, so that the
    operator may do that in the namespaces of teams, and make Roles and accounts there."""


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
    """Kubeflow's training operator (PyTorchJob, TFJob, XGBoostJob of version 1), for what is
    written for it already. With `charts.mirror` only where `gitops.charts` is `rendered`."""
    leader_worker_set: LeaderWorkerSet | None = None
    """LeaderWorkerSet, for models that are served on several nodes."""
    ray: Ray | None = None
    """KubeRay (RayCluster, RayJob, RayService)."""

    @property
    def has_job_set(self) -> bool:
        return self.trainer is not None or self.job_set is not None


Hours: TypeAlias = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,3}h$", examples=["24h"])]


class Metadata(StrictModel):
    """Name, namespace and labels of the job."""

    name: NamespaceName
    """What the job is called."""
    namespace: NamespaceName
    """One of a team's."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Not passed on: the job gets those of its team."""
    annotations: dict[str, str] = Field(default_factory=dict)
    """Not passed on."""


class Spec(StrictModel):
    """What is to be trained, on how much, and for how long."""

    framework: Framework = Framework.TORCH
    """What starts the processes, and tells them of each other."""
    model: LabelValue | None = Field(default=None, examples=["transformer"])
    """What is trained: a label of the job, by which its cost and use can be told."""
    image: str = Field(min_length=1, examples=["registry.example.com/train:1.4"])
    """Image with the program and its libraries."""
    program: list[str] = Field(default_factory=list, examples=[["train.py", "--epochs", "3"]])
    """A Python script of the image, and its arguments; `train.py` by default."""
    gpu_model: str | None = Field(default=None, examples=["H100-SXM"])
    """GPU model to train on; by default that of the first pool of the namespace's quota."""
    pool: str | None = Field(default=None, examples=["h100"])
    """Pool to train on, in place of a GPU model."""
    workers: int = Field(default=1, ge=1, le=MAX_NODES)
    """Pods that compute together."""
    gpus_per_worker: int | None = Field(default=None, ge=1, le=MAX_GPUS_PER_NODE)
    """GPUs of each; by default all of a node."""
    duration: Hours = "24h"
    """After which it is ended."""
    data: ObjectName | None = Field(default=None, examples=["corpus"])
    """Claim of a volume of the namespace, to be read at `/data`."""
    checkpoint: str = Field(default="100Gi", examples=["500Gi"])
    """Size of the volume for checkpoints, or `none`."""
    priority: str | None = Field(default=None, examples=["batch"])
    """Priority class; by default that of the namespace."""

    @property
    def hours(self) -> int:
        return int(self.duration.removesuffix("h"))


class DistributedTraining(StrictModel):
    """A training job on several nodes."""

    # It says what a job is and nothing of the cluster, so one file is right for several. Nothing in
    # a cluster acts on it: it is expanded into a TrainJob first.
    api_version: Literal["gpuplane.io/v1alpha1"]
    kind: Literal["DistributedTraining"]
    metadata: Metadata
    spec: Spec
