"""Options of an engine that follow from those of gpuplane, which nobody states a second time."""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.fault import Problem
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.engine_command import options, streams
from gpuplane.workloads.serving.engine import Engine
from gpuplane.workloads.serving.language_model import LanguageModel

_FROM = {
    "weights": "--weights",
    "dtype": "--precision",
    "context": "--context",
    "concurrency": "--concurrency",
    "tensor": "--gpus",
    "pipeline": "--nodes",
    "copies": "--replicas",
}
_NONE = "leave it out"


def owned_problems(request: Request) -> Iterator[Problem]:
    """Yield the options behind `--` that would contradict what the memory is counted for."""
    engine, model = request.served.engine, request.served.model
    if engine is None or model is None:
        return
    owned = {**_of_command(engine, model), **_of_options(request, engine, model)}
    for option, own in _stated(request, owned):
        is_more = own == _FROM["copies"]
        what = "each copy takes GPUs of its own" if is_more else "gpuplane sets this option itself"
        yield Problem((option,), what, own)


def port_problems(request: Request) -> Iterator[Problem]:
    """Yield the options behind `--` that move an engine from the ports at which it is asked."""
    engine = request.served.engine
    if engine is None:
        return
    names = {option: name for name, option in engine.port_options.items()}
    for option, name in _stated(request, names):
        what = f"probes, Service and metrics are of port {engine.ports[name]} of {engine.title}"
        yield Problem((option,), what, "none, or a server without --engine")


def _stated(request: Request, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the options behind `--` that are known, each with what stands for it."""
    for word in request.program:
        option = word.partition("=")[0]
        if found := known.get(_spelled(option)):
            yield option, found


def _of_options(request: Request, engine: Engine, model: LanguageModel) -> Mapping[str, str]:
    stated = {"weights", "pipeline", "copies", *(name for name, _, _ in options(request, model))}
    return {
        _spelled(option): _FROM.get(name, _NONE)
        for name in stated
        for option in (engine.options.get(name), *engine.other_names.get(name, ()))
        if option
    }


def _of_command(engine: Engine, model: LanguageModel) -> Mapping[str, str]:
    words = (*engine.command, *engine.leader, *engine.worker, *streams(engine, model))
    return {_spelled(word.partition("=")[0]): _own(word) for word in words if word[:2] == "--"}


def _own(word: str) -> str:
    found = (f"--{name}" for name in ("weights", "nodes") if f"{{{name}}}" in word)
    return next(found, _NONE)


def _spelled(option: str) -> str:
    """Return an option as it is compared: vLLM takes underscores for hyphens, too."""
    return option.replace("_", "-")
