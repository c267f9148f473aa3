"""Whether weights are of the precision for which their memory is counted, or are made so."""

from collections.abc import Sequence

_NAMES = {
    "fp8": ("fp8",),
    "int8": ("int8", "w8a8", "w8a16", "gptq", "8bit"),
    "fp4": ("fp4",),
    "int4": ("int4", "awq", "gptq", "w4a16", "4bit"),
}
"""What the names of repositories have that hold such weights."""
_OPTIONS = ("--quantization", "-q")


def needs_quantized(precision: str) -> bool:
    return precision in _NAMES


def is_named_so(weights: str, precision: str) -> bool:
    return any(part in weights.lower() for part in _NAMES.get(precision, ()))


def names_quantized(weights: str) -> bool:
    return any(is_named_so(weights, precision) for precision in _NAMES)


def quantizes(program: Sequence[str]) -> bool:
    """Return whether an engine is told to quantize what it loads."""
    return any(word.partition("=")[0] in _OPTIONS for word in program)
