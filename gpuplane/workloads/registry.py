"""All kinds of workloads."""

from gpuplane.workloads.kind import Kind
from gpuplane.workloads.kinds.job import JOB_KIND, POD
from gpuplane.workloads.kinds.jobset import JOBSET
from gpuplane.workloads.kinds.kubeflow import MPIJOB, PYTORCHJOB, TFJOB
from gpuplane.workloads.kinds.llm import LLM
from gpuplane.workloads.kinds.nccl_test import NCCL_TEST
from gpuplane.workloads.kinds.notebook import NOTEBOOK
from gpuplane.workloads.kinds.ray import RAYCLUSTER, RAYJOB
from gpuplane.workloads.kinds.service import SERVICE
from gpuplane.workloads.kinds.spark import SPARK
from gpuplane.workloads.kinds.trainjob import TRAINJOB

KINDS: tuple[Kind, ...] = (
    POD,
    JOB_KIND,
    JOBSET,
    TRAINJOB,
    PYTORCHJOB,
    TFJOB,
    MPIJOB,
    RAYJOB,
    RAYCLUSTER,
    SPARK,
    NOTEBOOK,
    NCCL_TEST,
    LLM,
    SERVICE,
)
"""Kinds in the order in which they are listed."""

BY_NAME = {kind.name: kind for kind in KINDS}
