"""What is to be said of weights: where they come from, and how they have to be there."""

from collections.abc import Iterator

from gpuplane.workloads.request import Request
from gpuplane.workloads.serving.engine import Engine
from gpuplane.workloads.serving.language_model import LanguageModel
from gpuplane.workloads.serving.quantization import is_named_so, needs_quantized


def weight_notes(request: Request) -> Iterator[str]:
    engine, model = request.served.engine, request.served.model
    if engine is None or model is None:
        return
    if not model.is_file:
        yield (
            f"it downloads {model.weights} from huggingface.co, to which the egress of "
            f"{request.namespace.name} has to lead; or mount the weights by --data"
        )
    elif engine.renames is not None and not _is_renamed(request, engine.renames):
        yield (
            f"clients ask for the model {model.weights}; -- {engine.renames}=NAME gives it another "
            "name"
        )
    yield from _of_precision(engine, model)


def _is_renamed(request: Request, option: str) -> bool:
    return any(word.partition("=")[0] == option for word in request.program)


def _of_precision(engine: Engine, model: LanguageModel) -> Iterator[str]:
    """Yield that an engine loads what is there, whatever `--precision` says."""
    precision, option = model.precision, engine.quantize.get(model.precision)
    if is_named_so(model.weights, precision) or not needs_quantized(precision):
        return
    if not model.quantized_at_start:
        otherwise = f"else add -- {option}" if option else f"{engine.title} does not make them"
        yield (
            f"the repository {model.weights} must hold {precision} weights, which its name does "
            f"not say; {otherwise}"
        )
    elif not option:
        yield (
            f"{engine.title} may load {model.weights} in 16 bits before it quantizes it, for which "
            "the memory is not counted"
        )
