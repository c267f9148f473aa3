"""Kubernetes quantities, parsed exactly and as the API server parses them.

Source: `ParseQuantity` and `UnmarshalJSON` in
https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity.go
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from policies.document import Json

Quantity: TypeAlias = int | Fraction
"""An exact amount: an int where it is whole."""

MAX_LENGTH = 512
"""Characters; the API server has no such limit, but no real quantity comes near it."""

_PATTERN = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:(?P<suffix>[numkMGTPE]|[KMGTPE]i)|[eE](?P<exponent>[+-]?[0-9]+))?"
)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_NANOS_PER_UNIT = 10**9
"""Fractions of a nano are rounded away from zero."""
_MAX_BINARY = 2**63 - 1
MILLI = 1000
"""Thousandths of a CPU."""
_BYTES = ("memory", "ephemeral-storage")
SIZES = (2**30, 2**20)
_MAX_EXPONENT = 400
"""Larger ones count as this one: both exceed anything real, and this one is fast to compute."""


def read_quantity(value: Json) -> Quantity | None:
    """Return the amount that a JSON value stands for; None where it is not a quantity.

    JSON's null counts as zero and a number as its digits, as in the API server.
    """
    if type(value) is str:
        return _read(value) if len(value) <= MAX_LENGTH else None
    if type(value) is int:
        return value
    if type(value) is float:
        return _read(repr(value))
    return 0 if value is None else None


@lru_cache(maxsize=4096)
def _read(value: str) -> Quantity | None:
    stripped = value.strip()
    matched = _PATTERN.fullmatch(stripped)
    if not stripped or matched is None:
        return None
    sign, whole, part, suffix, exponent = matched.groups("")
    amount = Fraction(int((whole + part) or "0"), 10 ** len(part))
    if suffix in _BINARY:
        amount = min(amount * 2 ** _BINARY[suffix], Fraction(_MAX_BINARY))
    else:
        amount *= _power_of_ten(_DECIMAL.get(suffix, 0) if suffix else int(exponent or "0"))
    nanos = -(-amount.numerator * _NANOS_PER_UNIT // amount.denominator)
    rounded = Fraction(-nanos if sign == "-" else nanos, _NANOS_PER_UNIT)
    return rounded.numerator if rounded.denominator == 1 else rounded


def _power_of_ten(exponent: int) -> Fraction:
    return Fraction(10) ** max(-_MAX_EXPONENT, min(exponent, _MAX_EXPONENT))


def format_most(resource: str, amount: int) -> str:
    """Format the most of a resource that may be asked for, in whole CPUs or GiB unless it is less.

    CPUs are given in thousandths. What is rounded is rounded down.
    """
    if resource == "cpu":
        return f"{amount}m" if amount < MILLI else str(amount // MILLI)
    for size in SIZES:
        if resource in _BYTES and amount >= size:
            return format_bytes(amount - amount % size)
    return str(amount)


@lru_cache(maxsize=1024)
def format_bytes(amount: int) -> str:
    """Format bytes as a quantity in the largest binary unit that is exact."""
    for suffix in ("Ti", "Gi", "Mi", "Ki"):
        count, rest = divmod(amount, 2 ** _BINARY[suffix])
        if count and not rest:
            return f"{count}{suffix}"
    return str(amount)
