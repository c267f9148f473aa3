"""That a model does not fit where it is to run, with the arithmetic, and where it would."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import Problem, counted
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.workloads.place import Place, device_memory, granted_pools, usual_place
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.engine_command import is_part
from gpuplane.workloads.serving.fit import (
    GIB,
    Split,
    fits,
    kv_cache_each,
    needed_each,
    overhead,
    smallest,
    splits,
    weights_each,
)
from gpuplane.workloads.serving.language_model import LanguageModel

_LESS = "a smaller --context, --concurrency or --precision"
_FIRST_WITH_BF16 = 8
"""The major compute capability (https://docs.nvidia.com/cuda/cuda-c-programming-guide/)."""


def fit_problems(request: Request) -> Iterator[Problem]:
    model = request.served.model
    if model is None:
        return
    yield from _part_problems(request)
    yield from _precision_problems(request, model)
    yield from _head_problems(request, model)
    if not fits(model.demand, _memory(request), _split(request)):
        what = f"{model.weights} does not fit on pool {request.pool.name}: {_sum(request, model)}"
        yield Problem(("--pool",), what, "; ".join((*_elsewhere(request, model), _LESS)))


def unjudged(request: Request) -> Iterator[str]:
    """Yield what is not known of a model that may fit."""
    model = request.served.model
    if model is not None and model.demand.kv_cache is None:
        yield (
            f"the KV cache of {model.weights} is not known, so that only its weights are known to "
            f"fit: whether {_tokens(model)} do is judged with --kv-bytes-per-token"
        )
    elif model is not None and model.kv_heads is None and request.gpus > 1:
        yield (
            f"each GPU is taken to hold the whole KV cache of its layers, since the KV heads of "
            f"{model.weights} are not known: --kv-heads splits it (1 for MLA)"
        )


def _split(request: Request) -> Split:
    return Split(request.gpus, request.nodes)


def _part_problems(request: Request) -> Iterator[Problem]:
    """Yield that an engine would take the whole of a GPU of which a pod has a share."""
    engine = request.served.engine
    if engine is not None and request.resource.shared and not engine.is_told_bytes:
        what = (
            f"{engine.title} takes a part of the whole GPU, of which pods have shares on pool "
            f"{request.pool.name}, and is not told how many bytes"
        )
        yield Problem(("--engine",), what, "vllm, or a pool whose GPUs are not shared")


def _precision_problems(request: Request, model: LanguageModel) -> Iterator[Problem]:
    gpu = request.pool.hardware.model
    capability = gpu.compute_capability
    is_old = capability is not None and int(capability.partition(".")[0]) < _FIRST_WITH_BF16
    if is_old and model.precision == "bf16":
        yield Problem(("--precision",), f"{gpu.name} has no bf16", "fp16, or a quantized one")


def _head_problems(request: Request, model: LanguageModel) -> Iterator[Problem]:
    heads, gpus = model.kv_heads, request.gpus
    if heads is not None and heads % gpus and gpus % heads:
        what = f"the {heads} heads of {model.weights} are not split evenly on {gpus} GPUs"
        yield Problem(("--gpus",), what, "a power of two")


def _tokens(model: LanguageModel) -> str:
    return f"{model.concurrency} requests of {model.context} tokens"


def _sum(request: Request, model: LanguageModel) -> str:
    """Write what one GPU, or part of one, would have to hold."""
    memory, demand, split = _memory(request), model.demand, _split(request)
    running, needed = overhead(memory), needed_each(demand, split)
    pods = f" of each of {split.nodes} nodes" if split.nodes > 1 else ""
    what = "slice or share" if is_part(request) else "GPU"
    on = (
        f"each of {counted(split.gpus, what)}{pods}"
        if split.gpus * split.nodes > 1
        else f"its {what}"
    )
    cache = f" and {kv_cache_each(demand, split) / GIB:.1f} GiB of KV cache for {_tokens(model)}"
    has = f"{(memory - running) / GIB:.1f} GiB ({memory / GIB:.1f} less {running / GIB:.1f} to run)"
    if memory <= running:
        has = f"nothing left ({memory / GIB:.1f} GiB less {running / GIB:.1f} to run)"
    return (
        f"{on} would hold {weights_each(demand, split) / GIB:.1f} GiB of weights"
        f"{cache if demand.kv_cache else ''}, {needed / GIB:.1f} GiB in all, and has {has}"
    )


def _memory(request: Request) -> int:
    return device_memory(request.pool, request.resource)


def _elsewhere(request: Request, model: LanguageModel) -> Iterator[str]:
    """Yield the options with which it fits, each with the smallest split."""
    engine, own = request.served.engine, request.namespace
    said: set[tuple[str, str]] = set()
    for place in _places(request):
        room = place.room(request.most_replicas)
        ways = (each for each in splits(room) if each.nodes == 1 or (engine and engine.leader))
        found = smallest(model.demand, room, ways)
        at = place.namespace.name, place.pool.name
        if found is not None and at not in said:
            said.add(at)
            where = "" if place.namespace == own else f"--namespace {place.namespace.name} "
            yield f"{where}{_options(place, found)}"


def _options(place: Place, split: Split) -> str:
    usual = usual_place(place.platform, place.namespace, place.pool)
    resource = "" if place == usual else f" --resource {place.resource.name}"
    nodes = f" --nodes {split.nodes}" if split.nodes > 1 else ""
    spot = " (spot)" if place.pool.facts.spot_taint is not None else ""
    return f"--pool {place.pool.name}{resource} --gpus {split.gpus}{nodes}{spot}"


def _places(request: Request) -> Iterator[Place]:
    """Yield the places of the team on which its engine runs, those of its namespace first."""
    platform, engine, own = request.platform, request.served.engine, request.namespace
    of_team = [each for each in platform.namespaces if each.team_name == own.team_name]
    for namespace in sorted(of_team, key=lambda each: each != own):
        for pool in granted_pools(platform, namespace):
            for place in _offered(platform, namespace, pool):
                if engine is None or pool.vendor not in engine.vendors:
                    continue
                if engine.is_told_bytes or not place.resource.shared:
                    yield place


def _offered(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> Iterable[Place]:
    """Return the places of a pool of which the namespace has a quota, the usual one first."""
    usual = usual_place(platform, namespace, pool)
    others = (Place(platform, namespace, pool, each) for each in pool.facts.resources)
    smallest_first = sorted(others, key=lambda each: each.resource.memory_mib)
    return [usual, *(each for each in smallest_first if each != usual and each.capacity.quota)]
