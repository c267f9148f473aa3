"""That a model does not fit where it is to run, with the arithmetic."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem, counted
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.fit_remedies import fit_remedies, had
from gpuplane.workloads.serving.fit import (
    Demand,
    Split,
    fits,
    kv_cache_each,
    needed_each,
    overhead,
    weights_each,
)
from gpuplane.workloads.serving.language_model import LanguageModel
from gpuplane.workloads.serving.reserve import GIB

_MOST_GPUS = 16
"""Of a node."""
_FIRST_WITH_BF16 = 8
"""The major compute capability (https://docs.nvidia.com/cuda/cuda-c-programming-guide/)."""


def fit_problems(request: Request) -> Iterator[Problem]:
    model = request.served.model
    if model is None:
        return
    yield from _part_problems(request)
    yield from _precision_problems(request, model)
    yield from _head_problems(request, model)
    if not fits(request.served.demand(model), *had(request)):
        what = f"{model.weights} does not fit on pool {request.pool.name}: {_sum(request, model)}"
        yield Problem(("--pool",), what, "; ".join(fit_remedies(request, model)))


def unjudged(request: Request) -> Iterator[str]:
    """Yield what is not known of a model that may fit."""
    model = request.served.model
    if model is None:
        return
    if request.nodes > 1 and model.layers is None:
        yield (
            f"each of {request.nodes} nodes is taken to hold the same, since the layers of "
            f"{model.weights} are not known: one may hold a layer more, for which no room is judged"
        )
    if model.kv_heads is None and request.gpus.bit_count() > 1:
        yield (
            f"an engine splits {model.weights} on {request.gpus} GPUs only where its attention "
            f"heads are a multiple of {request.gpus}, which is not known"
        )
    if model.kv_per_token is None:
        yield (
            f"the KV cache of {model.weights} is not known, so that only its weights are known to "
            f"fit: whether {_tokens(model)} do is judged with --kv-bytes-per-token"
        )
    elif model.kv_heads is None and request.gpus > 1:
        yield (
            f"each GPU is taken to hold the whole KV cache of its layers, since the KV heads of "
            f"{model.weights} are not known: --kv-heads splits it (1 for MLA)"
        )


def _part_problems(request: Request) -> Iterator[Problem]:
    """Yield that an engine would take the whole of a GPU of which a pod has a share."""
    engine = request.served.engine
    if engine is not None and request.resource.shared and not engine.is_told_bytes:
        what = (
            f"{engine.title} sizes its memory as a part of the whole GPU, which pods of pool "
            f"{request.pool.name} share, and has no option in bytes"
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
        even = (each for each in range(1, _MOST_GPUS + 1) if not (heads % each and each % heads))
        yield Problem(("--gpus",), what, ", ".join(map(str, even)))
    if model.layers is not None and request.nodes > model.layers.count:
        what = f"{model.weights} has {model.layers.count} layers, of which each node takes some"
        yield Problem(("--nodes",), what, f"at most {model.layers.count}")


def _tokens(model: LanguageModel) -> str:
    return f"{model.concurrency} requests of {model.context} tokens"


def _sum(request: Request, model: LanguageModel) -> str:
    """Write what one GPU, or part of one, would have to hold."""
    (memory, split), demand = had(request), request.served.demand(model)
    running, needed = overhead(demand, memory, split), needed_each(demand, split)
    pods = f" of each of {split.nodes} nodes" if split.nodes > 1 else ""
    what = "slice or share" if request.resource.is_part else "GPU"
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
        f"{_stage(demand, split)}{cache if demand.kv_cache else ''}, {needed / GIB:.1f} GiB in "
        f"all, and has {has}"
    )


def _stage(demand: Demand, split: Split) -> str:
    if demand.layers is None or split.nodes == 1:
        return ""
    return f" ({demand.layers.most(split.nodes)} of {demand.layers.count} layers)"
