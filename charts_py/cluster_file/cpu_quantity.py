"""Kubernetes quantities of CPUs, such as `16`, `1.5` or `1500m`."""

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from charts_py.cluster_file.bounds import MAX_CPUS, Refused

_DIGITS = 15
_PATTERN = rf"^[0-9]{{1,{_DIGITS}}}(\.[0-9]{{1,{_DIGITS}}}|m)?$"
_ALLOWED = f"a number above 0, such as 1.5, or as 1500m, at most {MAX_CPUS}"
_MILLI = 1000
"""The smallest part that Kubernetes knows
(https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-cpu)."""


def _canonical(amount: Any) -> Any:
    """Return the amount as the API server writes it: whole CPUs, or thousandths."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float, str)):
        return amount
    thousandths = _thousandths(str(amount))
    if not 0 < thousandths <= MAX_CPUS * _MILLI:
        raise Refused(f"{amount} is out of bounds", _ALLOWED)
    if thousandths % 1:
        raise Refused(f"{amount} is not a whole number of thousandths", _ALLOWED)
    return format_cpus(int(thousandths))


def format_cpus(millicpu: int) -> str:
    """Return thousandths of a CPU as the API server writes them."""
    whole, rest = divmod(millicpu, _MILLI)
    return f"{millicpu}m" if rest else str(whole)


def millicpu_of(quantity: str) -> int:
    """Return the thousandths of a CPU that a quantity stands for; raises Refused for any other."""
    return int(_thousandths(quantity))


def _thousandths(amount: str) -> Decimal:
    if not re.fullmatch(rf"-?{_PATTERN[1:-1]}", amount):
        number = re.match(r"[0-9]+(\.[0-9]+)?(?=\s*[A-Za-z]+$)", amount)
        close = (number[0],) if number else ()
        raise Refused(f'"{amount}" is not an amount of CPUs', _ALLOWED, close)
    if amount.endswith("m"):
        return Decimal(amount.removesuffix("m"))
    return Decimal(amount) * _MILLI


CpuQuantity = Annotated[
    str,
    BeforeValidator(_canonical),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_CPUS},
                {"type": "string", "pattern": _PATTERN, "examples": ["1500m"]},
            ]
        }
    ),
]
