"""Quantities in CEL: `policies.quantity` has them in Python."""

from policies.cel.text import quote
from policies.quantity import MILLI, SIZES

_MOST_BYTES = 2**62
"""CEL cannot write more as an integer, and nothing has as much memory."""
MOST_GPUS = 10**12
"""Bound on one resource in one container, so that the sum over all containers is an integer,
too."""
_UNITS = ("Ti", "Gi", "Mi", "Ki")


def amount(quantity: str) -> str:
    return f"quantity(string({quantity})).asApproximateFloat()"


def whole_bytes(amount: str) -> str:
    """Return CEL for an amount, a double, as an integer: its whole part, as far as CEL has it."""
    return _whole(amount, _MOST_BYTES)


def whole_gpus(amount: str) -> str:
    """Return CEL for an amount of GPUs, a double, as an integer: its whole part."""
    return _whole(amount, MOST_GPUS)


def _whole(amount: str, most: int) -> str:
    return f"int([{amount}, {float(most)}].min())"


def most_in_cel(resource: str, amount: str) -> str:
    """Return CEL for what `format_most` returns, of CPUs or memory; the amount is an integer."""
    if resource == "cpu":
        written = f'most < {MILLI} ? string(most) + "m" : string(most / {MILLI})'
    else:
        whole = (f"most >= {size} ? {formatted(f'most - most % {size}')}" for size in SIZES)
        written = f"{' : '.join(whole)} : string(most)"
    return f"[{amount}].map(most, {written})[0]"


def formatted(size: str) -> str:
    """Return CEL for bytes as a quantity in the largest binary unit that is exact."""
    written = "string(bytes)"
    for power, unit in enumerate(reversed(_UNITS), start=1):
        factor = 1024**power
        exact = f"bytes >= {factor} && bytes % {factor} == 0"
        written = f"({exact} ? string(bytes / {factor}) + {quote(unit)} : {written})"
    return f"[{size}].map(bytes, {written})[0]"
