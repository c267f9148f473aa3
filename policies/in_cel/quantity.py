"""Quantities in CEL: `policies.quantity` has them in Python."""

from policies.in_cel.literal import text

_MOST = 2**62
"""Bytes; CEL cannot write more as an integer, and nothing has as much memory."""
_UNITS = ("Ti", "Gi", "Mi", "Ki")


def amount(quantity: str) -> str:
    """Return CEL for a quantity as a double."""
    return f"quantity(string({quantity})).asApproximateFloat()"


def whole_bytes(amount: str) -> str:
    """Return CEL for an amount, a double, as an integer: its whole part, as far as CEL has it."""
    return f"int([{amount}, {float(_MOST)}].min())"


def formatted(size: str) -> str:
    """Return CEL for bytes as a quantity in the largest binary unit that is exact."""
    written = "string(bytes)"
    for power, unit in enumerate(reversed(_UNITS), start=1):
        factor = 1024**power
        exact = f"bytes >= {factor} && bytes % {factor} == 0"
        written = f"({exact} ? string(bytes / {factor}) + {text(unit)} : {written})"
    return f"[{size}].map(bytes, {written})[0]"
