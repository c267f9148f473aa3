"""A server of a language model, split on as many GPUs as it takes."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.kind import Kind, not_installed
from gpuplane.workloads.mounted import data, volume_claim
from gpuplane.workloads.pod_template import Container
from gpuplane.workloads.reason import Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.cache import (
    VOLUME,
    cache,
    cache_problems,
    cache_size,
    disk,
    disk_problems,
)
from gpuplane.workloads.server.canary import canary_problems
from gpuplane.workloads.server.disaggregated_set import disaggregated_set, in_role
from gpuplane.workloads.server.disaggregation import role_variables, sidecar
from gpuplane.workloads.server.disaggregation_problems import (
    disaggregation_notes,
    disaggregation_problems,
    role_problems,
)
from gpuplane.workloads.server.drain import drain_problems, hook, hook_of_worker
from gpuplane.workloads.server.engine_command import engine_command
from gpuplane.workloads.server.fit_problems import fit_problems, unjudged
from gpuplane.workloads.server.image import image_problems, own_image, vendor_problems
from gpuplane.workloads.server.notes import server_notes
from gpuplane.workloads.server.owned_options import owned_problems
from gpuplane.workloads.server.picker import has_picker, picker_compute, picker_problems
from gpuplane.workloads.server.ports import container_ports
from gpuplane.workloads.server.replicas import deployment, leader_worker_set, pod_labels
from gpuplane.workloads.server.scaling import scaling_notes, scaling_problems
from gpuplane.workloads.server.start import probes, start_limit
from gpuplane.workloads.server.token_secret import token, token_notes, token_problems
from gpuplane.workloads.server.weight_notes import weight_notes
from gpuplane.workloads.server.weights import weight_problems, weights
from gpuplane.workloads.serving.chosen_split import chosen_split
from gpuplane.workloads.serving.engine import engine_problems, engines, language_model_engines
from gpuplane.workloads.serving.fit import Room, Split
from gpuplane.workloads.serving.language_model import (
    bounded,
    language_model_problems,
    read_language_model,
)
from gpuplane.workloads.serving.served import Role, Served
from gpus.model import AMD, NVIDIA

_USUAL = "vllm"
_MOST_REPLICAS = 1000


def build(request: Request) -> Iterator[Tree]:
    yield from volume_claim(request, VOLUME, request.nodes * request.copies)
    mounted = cache(request) + data(request) + weights(request)
    if request.prefill_replicas:
        roles = {role: _leader(in_role(request, role)) for role in Role}
        yield from disaggregated_set(request, roles, mounted)
        return
    leader = _leader(request)
    if request.nodes == 1:
        yield from deployment(request, leader, mounted)
        return
    worker = Container(
        name="worker",
        command=engine_command(request, is_worker=True),
        env=[*start_limit(request), *token(request)],
        disk=disk(request),
        fields=hook_of_worker(request),
        labels=pod_labels(request),
    )
    yield from leader_worker_set(request, leader, worker, mounted)


def _leader(request: Request) -> Container:
    """Return the container of a pod that answers."""
    return Container(
        name="server",
        command=engine_command(request),
        env=[*start_limit(request), *token(request), *role_variables(request)],
        disk=disk(request),
        fields={**container_ports(request), **hook(request), **probes(request)},
        labels=pod_labels(request),
        beside=sidecar(request),
    )


def _served(asked: Asked) -> Served:
    engine, model = engines()[asked.engine or _USUAL], read_language_model(asked)
    version, picker = asked.model_version, has_picker(asked)
    return Served(engine, model, version=version, drain=asked.drain, picker=picker)


def _values(asked: Asked) -> Iterator[Problem]:
    yield from engine_problems(asked.engine or _USUAL, language_model_engines())
    yield from language_model_problems(asked)
    yield from token_problems(asked)
    yield from bounded("--replicas", asked.replicas, _MOST_REPLICAS, least=0)
    yield from bounded("--prefill-replicas", asked.prefill_replicas, _MOST_REPLICAS)
    yield from role_problems(asked, engines().get(asked.engine or _USUAL))
    yield from bounded("--max-replicas", asked.max_replicas, _MOST_REPLICAS)


def _size(asked: Asked, room: Room) -> Split:
    spans_nodes = bool(engines()[asked.engine or _USUAL].leader) and not asked.prefill_replicas
    demand = _served(asked).demand(read_language_model(asked))
    return chosen_split(asked, room, demand, spans_nodes=spans_nodes)


def _image(asked: Asked, platform: Platform, pool: PlatformPool) -> str:
    return own_image(engines()[asked.engine or _USUAL], platform, pool)


def _volume_size(asked: Asked) -> str:
    return cache_size(read_language_model(asked))


def _problems(request: Request) -> Iterator[Problem]:
    yield from vendor_problems(request)
    yield from _node_problems(request)
    yield from owned_problems(request)
    yield from fit_problems(request)
    yield from image_problems(request)
    yield from weight_problems(request)
    yield from cache_problems(request)
    yield from disk_problems(request)
    yield from drain_problems(request)
    yield from canary_problems(request)
    yield from scaling_problems(request)
    yield from picker_problems(request)
    yield from disaggregation_problems(request)


def _node_problems(request: Request) -> Iterator[Problem]:
    engine, pool = request.served.engine, request.pool
    if request.nodes == 1 or engine is None:
        return
    if not engine.leader:
        yield Problem(("--nodes",), f"{engine.title} needs mpirun on several nodes", "1")
    elif request.resource.is_part:
        yield Problem(("--nodes",), f"parts of GPUs of pool {pool.name} join no nodes", "1")


def _notes(request: Request) -> Iterator[str]:
    yield from unjudged(request)
    if request.nodes > 1 and request.platform.cluster.training.leader_worker_set is None:
        yield not_installed(request, "LeaderWorkerSet", "training.leaderWorkerSet")
    yield from weight_notes(request)
    yield from token_notes(request)
    gpu = request.pool.hardware.model
    if request.gpus > 1 and gpu.vendor == NVIDIA and not gpu.nvlink:
        yield (
            f"GPUs of pool {request.pool.name} have no NVLink, so that what tensor parallelism "
            "exchanges takes longer, over PCIe"
        )
    yield from scaling_notes(request)
    yield from disaggregation_notes(request)
    yield from server_notes(request)


LLM = Kind(
    name="llm",
    summary="a server of a language model",
    build=build,
    purposes=(Purpose.INFERENCE, Purpose.TRAINING, Purpose.NOTEBOOKS, Purpose.BATCH),
    whole_nodes=False,
    pools=lambda platform: platform.pools_of(NVIDIA, AMD),
    why_pools="the engines run on GPUs of NVIDIA and AMD",
    program=(),
    hours=None,
    asked_beside=picker_compute,
    served=_served,
    size=_size,
    volume=VOLUME,
    volume_size=_volume_size,
    image=_image,
    values=_values,
    problems=_problems,
    notes=_notes,
)
