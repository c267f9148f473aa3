"""The resource DistributedTraining, as people write it.

It says what a job is, and nothing of the cluster: that is why one file is right for several.
Nothing in a cluster acts on it: it is expanded into a TrainJob and its volumes before it is
applied.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from charts_py.cluster_file.bounds import MAX_GPUS_PER_NODE, MAX_NODES
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import LabelValue, NamespaceName, ObjectName
from charts_py.cluster_file.training import Framework

Hours: TypeAlias = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,3}h$", examples=["24h"])]


class Metadata(StrictModel):
    """Which job of whom it is."""

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
        """After which it is ended."""
        return int(self.duration.removesuffix("h"))


class DistributedTraining(StrictModel):
    """A training job on several nodes."""

    api_version: Literal["gpuplane.io/v1alpha1"]
    kind: Literal["DistributedTraining"]
    metadata: Metadata
    spec: Spec
