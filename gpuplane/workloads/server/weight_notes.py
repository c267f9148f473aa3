"""What is to be said of weights: where they come from, and how they have to be there."""

from collections.abc import Iterator

from gpuplane.workloads.request import Request
from gpuplane.workloads.server.engine_command import is_renamed
from gpuplane.workloads.serving.engine import Engine
from gpuplane.workloads.serving.language_model import LanguageModel
from gpuplane.workloads.serving.quantization import is_named_so, names_quantized, needs_quantized
from gpuplane.workloads.serving.weights import Source, Weights
from gpus.provider import Provider

_NEARLY = 0.85
"""The part of the parameters of a name from which a number is taken to be exact."""


def weight_notes(request: Request) -> Iterator[str]:
    engine, model = request.served.engine, request.served.model
    if engine is None or model is None:
        return
    yield from _of_source(request, model.weights)
    is_path = model.weights.source is not Source.HUB and request.served.version is None
    if is_path and engine.renames is not None and not is_renamed(request, engine):
        yield (
            f"clients ask for the model {model.weights.path}; -- {engine.renames}=NAME gives it "
            "another name"
        )
    yield from _of_precision(engine, model)
    yield from _of_size(model)


def _of_size(model: LanguageModel) -> Iterator[str]:
    """Yield what is counted otherwise than the model is known to be."""
    known, context = model.known_parameters, model.known_context
    if known is not None and model.parameters < known * _NEARLY:
        named, counted = (f"{each / 10**9:g}B" for each in (known, model.parameters))
        yield (
            f"{model.weights} goes by {named} parameters, and {counted} are counted: --parameters "
            "are all, with those of experts that a token leaves out"
        )
    if context is not None and model.context > context:
        yield (
            f"the positions of {model.weights} are made for {context} tokens: an engine starts "
            "with more only where its repository, or an option behind --, says how they are scaled"
        )
    if not needs_quantized(model.precision) and (
        model.is_fp8 or names_quantized(model.weights.name)
    ):
        yield (
            f"{model.weights} is of fewer than 16 bits, for which --precision would count less "
            f"memory than for {model.precision}"
        )


def _of_source(request: Request, weights: Weights) -> Iterator[str]:
    namespace = request.namespace.name
    if weights.source is Source.HUB:
        yield (
            f"it downloads {weights} from huggingface.co, to which the egress of {namespace} has "
            "to lead; or mount the weights by --data"
        )
    elif weights.source is Source.BUCKET:
        yield (
            f"it reads {weights} as the service account default of {namespace}, which must be "
            "allowed to, and to which egress has to lead"
        )
    elif weights.source is Source.NODES:
        yield (
            f"a node of pool {request.pool.name} that is new downloads {weights.kept} first, and "
            "the pod waits in ContainerCreating until it has"
        )
    elif weights.source is Source.IMAGE:
        yield "nodes mount the image of weights by containerd 2.1 or CRI-O 1.31, or later"
    if weights.text.startswith("s3:") and request.platform.cluster.provider is not Provider.EKS:
        yield (
            "a store outside of AWS needs AWS_ENDPOINT_URL, AWS_EC2_METADATA_DISABLED=true and "
            "RUNAI_STREAMER_S3_USE_VIRTUAL_ADDRESSING=0 in env, with keys from a Secret"
        )


def _of_precision(engine: Engine, model: LanguageModel) -> Iterator[str]:
    """Yield that an engine loads what is there, whatever `--precision` says."""
    precision, option = model.precision, engine.quantize.get(model.precision)
    if model.is_fp8 and precision == "fp8":
        return
    if is_named_so(model.weights.text, precision) or not needs_quantized(precision):
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
