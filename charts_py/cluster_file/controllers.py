"""What a controller gets that the platform installs, where that is not what follows by itself."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.quantity import CpuQuantity, PositiveQuantity, bytes_of, millicpu_of
from charts_py.cluster_file.strict_model import Refused, StrictModel

_MAX_REPLICAS = 5
"""All but one wait to lead."""


_MAX_MEMORY = "1Ti"
_MAX_CPUS = 128
"""More than the largest cluster needs of any (docs/reference/controllers.md), and than most nodes
without GPUs have."""


def _of_one_pod(memory: str) -> str:
    if bytes_of(memory) > bytes_of(_MAX_MEMORY):
        raise Refused(f"{memory} is more than any controller takes", f"at most {_MAX_MEMORY}")
    return memory


def _of_some_cores(cpus: str) -> str:
    if millicpu_of(cpus) > _MAX_CPUS * 1000:
        raise Refused(f"{cpus} is more than any controller takes", f"at most {_MAX_CPUS}")
    return cpus


class ControllerName(StrEnum):
    """A controller; each is a row of `charts_py/components/controller_sizes.yaml`."""

    KUEUE = "kueue"
    GPU_OPERATOR = "gpu-operator"
    NFD_MASTER = "nfd-master"
    NFD_GC = "nfd-gc"
    NODE_READINESS_CONTROLLER = "node-readiness-controller"
    AMD_GPU_OPERATOR = "amd-gpu-operator"
    COMPUTE_DOMAINS = "compute-domains"
    JOBSET = "jobset"
    LEADER_WORKER_SET = "leader-worker-set"
    KUBEFLOW_TRAINER = "kubeflow-trainer"
    KUBERAY_OPERATOR = "kuberay-operator"
    KEDA = "keda"
    KEDA_METRICS_APISERVER = "keda-metrics-apiserver"
    KEDA_WEBHOOKS = "keda-webhooks"
    KEDA_HTTP_INTERCEPTOR = "keda-http-interceptor"
    KEDA_HTTP_SCALER = "keda-http-scaler"
    ARGO_ROLLOUTS = "argo-rollouts"
    AGENTGATEWAY = "agentgateway"
    GATEWAY = "gateway"
    JUPYTERHUB = "jupyterhub"
    JUPYTERHUB_PROXY = "jupyterhub-proxy"
    TRAINING_OPERATOR = "training-operator"
    SLURM_OPERATOR = "slurm-operator"
    VOLCANO_SCHEDULER = "volcano-scheduler"
    VOLCANO_CONTROLLERS = "volcano-controllers"
    VOLCANO_ADMISSION = "volcano-admission"
    KAI_OPERATOR = "kai-operator"
    KAI_SCHEDULER = "kai-scheduler"
    KAI_BINDER = "kai-binder"
    KAI_PODGROUPER = "kai-podgrouper"
    KAI_PODGROUP_CONTROLLER = "kai-podgroup-controller"
    TOPOGRAPH = "topograph"
    TOPOGRAPH_NODE_OBSERVER = "topograph-node-observer"
    METRICS_SERVER = "metrics-server"
    OPENCOST = "opencost"
    CERT_MANAGER = "cert-manager"
    CERT_MANAGER_CAINJECTOR = "cert-manager-cainjector"
    CERT_MANAGER_WEBHOOK = "cert-manager-webhook"
    WEBHOOK = "webhook"


class ControllerSize(StrictModel):
    """What one controller gets."""

    memory: Annotated[PositiveQuantity, AfterValidator(_of_one_pod)] | None = None
    """The most that it may take; where its chart sets no limit, what it requests."""
    cpu: Annotated[CpuQuantity, AfterValidator(_of_some_cores)] | None = None
    """CPUs that it requests."""
    replicas: int | None = Field(default=None, ge=1, le=_MAX_REPLICAS)
    """How many there are, of a controller of which one leads or each serves."""
