"""The command of an engine: the model, on how much it is split, and how much it serves at once."""

from collections.abc import Iterator, Sequence

from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.disaggregation import engine_ports, kv_transfer
from gpuplane.workloads.server.drain import drain
from gpuplane.workloads.serving.engine import Engine
from gpuplane.workloads.serving.fit import Split, overhead
from gpuplane.workloads.serving.language_model import LanguageModel
from gpuplane.workloads.serving.reserve import GIB, Reserve, static_permille
from gpuplane.workloads.serving.weights import Source
from gpus.instance_memory import device_memory

_TYPES = {"bf16": "bfloat16", "fp16": "float16"}
"""Of weights that are not quantized; a repository says itself how others are."""
_MIB = 2**20


def engine_command(request: Request, *, is_worker: bool = False) -> list[Tree]:
    """Return the command of a pod; `is_worker`: one of several nodes that answers no requests."""
    engine, model = request.served.engine, request.served.model
    if engine is None or model is None:
        return []
    port = next(iter(engine_ports(request).values()))
    spread = [*engine.leader, *(engine.worker if is_worker else ())] if request.nodes > 1 else []
    return [
        *(word.format(weights=model.weights.path, port=port) for word in engine.command),
        *streams(engine, model),
        *_stated(request, engine, model),
        *(word.format(nodes=request.nodes) for word in spread),
        *_renamed(request, engine),
        *request.program,
    ]


def is_renamed(request: Request, engine: Engine) -> bool:
    """Whether clients ask for the model by a name that somebody has chosen."""
    return any(word.partition("=")[0] == engine.renames for word in request.program)


def _renamed(request: Request, engine: Engine) -> Iterator[Tree]:
    version = request.served.version
    if version is not None and engine.renames is not None and not is_renamed(request, engine):
        why = "clients ask for it by that name, whichever version answers"
        yield Because(f"{engine.renames}={version.reference.name}", why)


def streams(engine: Engine, model: LanguageModel) -> Sequence[str]:
    return engine.streams if model.weights.source is Source.BUCKET else ()


def _stated(request: Request, engine: Engine, model: LanguageModel) -> Iterator[Tree]:
    for name, value, why in options(request, model):
        if option := engine.options.get(name):
            yield Because(f"{option}={value}", why)


def options(request: Request, model: LanguageModel) -> Iterator[tuple[str, object, str]]:
    """Yield what any engine is told, each by a name, with its value and why."""
    engine = request.served.engine
    if model.precision in _TYPES:
        yield "dtype", _TYPES[model.precision], "the precision for which its memory is counted"
    yield "context", model.context, "tokens of a request with its answer, at most"
    yield "concurrency", model.concurrency, "requests at once; more of them wait"
    yield "tensor", request.gpus, "the GPUs of its pod, which are of one node"
    if request.nodes > 1:
        yield "pipeline", request.nodes, "one stage on each node: stages exchange little data"
    if request.resource.is_part:
        yield from _of_part(request, model)
    if request.prefill_replicas:
        yield "kv_transfer", *kv_transfer(request)
    if engine is not None and engine.reserve is Reserve.BATCH:
        yield from _static(request)
    if model.weights.source is Source.BUCKET and request.gpus > 1:
        each = "each process reads a part, and gets the rest from the others"
        yield "streamed", '{"distributed":true}', each
    seconds = drain(request).requests
    yield "drain", seconds, f"after SIGTERM it has {seconds} seconds for what it began"


def _static(request: Request) -> Iterator[tuple[str, object, str]]:
    memory = device_memory(request.pool.facts, request.resource)
    permille = static_permille(memory, request.gpus, request.nodes)
    kept = memory * (1000 - permille) / 1000 / GIB
    why = f"weights and KV cache; {kept:.1f} GiB of {memory / GIB:.1f} are for what it computes"
    yield "static", f"{permille / 1000:.3f}", why


def _of_part(request: Request, model: LanguageModel) -> Iterator[tuple[str, object, str]]:
    memory = device_memory(request.pool.facts, request.resource)
    running = overhead(request.served.demand(model), memory, Split(1, 1))
    left = memory - running - model.weight_bytes
    why = (
        f"{memory / GIB:.1f} GiB of {request.resource.name} less {running / GIB:.1f} GiB to run "
        f"and {model.weight_bytes / GIB:.1f} GiB of weights"
    )
    yield "kv_cache", left - left % _MIB, why
    whole = memory * request.pool.facts.sharing.replicas
    why = "a check at its start alone: it starts where this part of the GPU that it sees is free"
    yield "free_at_start", 100 * (memory - running) // whole / 100, why
