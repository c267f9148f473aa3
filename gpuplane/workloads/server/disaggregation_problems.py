"""Where prefill and decode cannot be apart, and what is to be said where they are."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.gateway import SIDECAR_IMAGE
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.network import network
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.image import is_refused
from gpuplane.workloads.serving.engine import ENGINE, Engine
from gpuplane.workloads.serving.reserve import GIB

_OPTION = ("--prefill-replicas",)
_LONGEST = 29
"""Letters of a name. LeaderWorkerSets of 999 replicas have names of 48 letters at most, to which
slice, revision and role add 19 (https://github.com/kubernetes-sigs/lws,
pkg/utils/disaggregatedset/utils.go at v0.10.0)."""


def role_problems(asked: Asked, engine: Engine | None) -> Iterator[Problem]:
    """Yield what is wrong on every cluster with prefill replicas, and what stands beside them."""
    if asked.prefill_replicas is None:
        return
    if engine is not None and "kv_transfer" not in engine.options:
        what = f"gpuplane knows how vLLM hands over a KV cache, and not how {engine.title} does"
        yield Problem(ENGINE, what, "vllm")
    if len(asked.name) > _LONGEST:
        what = f"{asked.name} is too long for a DisaggregatedSet, which adds to it"
        yield Problem(("NAME",), what, f"{_LONGEST} letters at most")
    if asked.nodes is not None and asked.nodes > 1:
        what = "vLLM hands over KV caches of tensor parallelism, not of a pipeline of nodes"
        yield Problem(("--nodes",), what, "1")
    if asked.canary:
        yield Problem(("--canary",), "Argo Rollouts replaces no DisaggregatedSet", "without it")
    if asked.max_replicas is not None:
        what = "one number of replicas does not say how many of them are prefill"
        yield Problem(("--max-replicas",), what, "--replicas and --prefill-replicas")


def disaggregation_problems(request: Request) -> Iterator[Problem]:
    if not request.prefill_replicas:
        return
    platform = request.platform
    if platform.cluster.training.leader_worker_set is None:
        what = f"the file of {platform.name} does not install LeaderWorkerSet, which runs them"
        yield Problem(_OPTION, what, "a cluster with training.leaderWorkerSet")
    if is_refused(request, image := platform.mirrors.of(SIDECAR_IMAGE)):
        what = f"admission refuses its sidecar {image}, which is not from an allowed registry"
        allowed = "a cluster with its registry in policies.registries, or a mirror of it"
        yield Problem(_OPTION, what, allowed)
    if request.resource.is_part:
        yield Problem(_OPTION, _why_whole(request), "a pool, or resource, of whole GPUs")


def _why_whole(request: Request) -> str:
    """Say what parts of GPUs lack.

    https://docs.nvidia.com/datacenter/tesla/mig-user-guide/ (Application Considerations).
    """
    pool = request.pool.name
    if request.resource.mig_profile is not None:
        return f"MIG instances of pool {pool} copy no memory to each other, as KV caches are read"
    return f"on shares of GPUs of pool {pool}, prefill slows decode down all the same"


def disaggregation_notes(request: Request) -> Iterator[str]:
    interconnect = request.pool.hardware.interconnect
    if request.prefill_replicas and not network(request).resources:
        yield (
            f"KV caches go from prefill to decode over TCP{_size(request)}: pods have RDMA only "
            "with all GPUs of a node whose network is EFA, InfiniBand or RoCE, and devices for "
            f"it; that of pool {request.pool.name} is {interconnect}, and {request.gpus} of "
            f"{request.pool.hardware.gpus} GPUs are asked for"
        )


def _size(request: Request) -> str:
    model = request.served.model
    if model is None or model.kv_per_token is None:
        return ""
    size = model.kv_per_token * model.context / GIB
    return f", up to {size:.1f} GiB for a prompt of {model.context} tokens"
