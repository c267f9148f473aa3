"""Kubernetes quantities: memory and storage, such as `1.5Ti`, and CPUs, such as `1500m`."""

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from charts_py.cluster_file.strict_model import (
    MAX_BYTES,
    MAX_CPUS,
    MIN_BYTES,
    MIN_BYTES_OF_HARDWARE,
    Refused,
)

_CPU_DIGITS = 15
_DIGITS = 19
"""Digits of the largest number of bytes that 63 bits can count."""
_CPUS = rf"^[0-9]{{1,{_CPU_DIGITS}}}(\.[0-9]{{1,{_CPU_DIGITS}}}|m)?$"
_ALLOWED_CPUS = f"a number above 0, such as 1.5, or as 1500m, at most {MAX_CPUS}"
_MILLI = 1000
"""The smallest part that Kubernetes knows
(https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#meaning-of-cpu)."""


def _canonical_cpus(amount: Any) -> Any:
    """Return the amount as the API server writes it: whole CPUs, or thousandths."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float, str)):
        return amount
    thousandths = _thousandths(str(amount))
    if not 0 < thousandths <= MAX_CPUS * _MILLI:
        raise Refused(f"{amount} is out of bounds", _ALLOWED_CPUS)
    if thousandths % 1:
        raise Refused(f"{amount} is not a whole number of thousandths", _ALLOWED_CPUS)
    return format_cpus(int(thousandths))


def format_cpus(millicpu: int) -> str:
    """Return thousandths of a CPU as the API server writes them."""
    whole, rest = divmod(millicpu, _MILLI)
    return f"{millicpu}m" if rest else str(whole)


def _thousandths(amount: str) -> Decimal:
    if not re.fullmatch(rf"-?{_CPUS[1:-1]}", amount):
        number = re.match(r"[0-9]+(\.[0-9]+)?(?=\s*[A-Za-z]+$)", amount)
        close = (number[0],) if number else ()
        raise Refused(f'"{amount}" is not an amount of CPUs', _ALLOWED_CPUS, close)
    if amount.endswith("m"):
        return Decimal(amount.removesuffix("m"))
    return Decimal(amount) * _MILLI


CpuQuantity = Annotated[
    str,
    BeforeValidator(_canonical_cpus),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": MAX_CPUS},
                {"type": "string", "pattern": _CPUS, "examples": ["1500m"]},
            ]
        }
    ),
]
_DECIMAL = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_FACTORS = {"": 1, **_DECIMAL, **_BINARY}
_NUMBER = rf"[0-9]{{1,{_DIGITS}}}(\.[0-9]{{1,{_DIGITS}}})?"
_SUFFIX = f"({'|'.join(_DECIMAL | _BINARY)})"
_SUFFIXES = ", ".join(_DECIMAL | _BINARY)


def bytes_of(quantity: str) -> int:
    """Return the bytes of a quantity.

    Raises Refused for anything but a number and one of the suffixes that Kubernetes knows
    (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/), and for a
    part of a byte.
    """
    number, suffix = _parts(quantity)
    size = number * _FACTORS[suffix]
    if size % 1:
        raise Refused(f'"{quantity}" is not a whole number of bytes', "one such as 1.5Gi")
    return int(size)


def _parts(quantity: str) -> tuple[Decimal, str]:
    matched = re.fullmatch(f"{_NUMBER}{_SUFFIX}?", quantity)
    if matched is None:
        allowed = f"up to {_DIGITS} digits, such as 1.5Gi, and one of {_SUFFIXES}"
        raise Refused(f'"{quantity}" is not a quantity', allowed, _nearest(quantity))
    suffix = matched.group(2) or ""
    return Decimal(quantity.removesuffix(suffix)), suffix


def _nearest(quantity: str) -> tuple[str, ...]:
    """Return what a quantity in other units, such as `512GB`, or `512 gib`, stands for."""
    parts = re.fullmatch(r"([0-9._,]+)\s*([kmgtp])(i?)b?", quantity.strip().lower())
    number = parts[1].replace("_", "").replace(",", "") if parts else ""
    if parts is None or not re.fullmatch(_NUMBER, number):
        return ()
    binary, decimal = f"{parts[2].upper()}i", parts[2] if parts[2] == "k" else parts[2].upper()
    return tuple(f"{number}{suffix}" for suffix in ((binary,) if parts[3] else (binary, decimal)))


def _with_unit(quantity: Any) -> Any:
    """Refuse bytes: 2048 is probably meant as GiB."""
    is_number = isinstance(quantity, (int, float)) and not isinstance(quantity, bool)
    if is_number or (isinstance(quantity, str) and re.fullmatch(_NUMBER, quantity)):
        allowed = f"one of {_SUFFIXES} after it, as in 512Gi"
        raise Refused(f"{quantity} has no unit", allowed, (f"{quantity}Gi", f"{quantity}Mi"))
    return quantity


def stated_bytes(quantity: str) -> int:
    """Return the bytes of a quantity that somebody states; raises Refused without a unit, too."""
    return bytes_of(_with_unit(quantity))


def _checked(quantity: str) -> str:
    """Return a quantity as the API server writes it: `1536Gi` for `1.5Ti`, and `0` for `0Gi`.

    What it rewrote would differ from what is in git.
    """
    size, (number, suffix) = bytes_of(quantity), _parts(quantity)
    if size > MAX_BYTES:
        raise Refused(f'"{quantity}" is out of bounds', f"at most {MAX_BYTES // _FACTORS['Pi']}Pi")
    if size == 0:
        return "0"
    if not number % 1:
        return f"{int(number)}{suffix}"
    smaller = ("", *(_BINARY if suffix in _BINARY else _DECIMAL))
    best = max((one for one in smaller if size % _FACTORS[one] == 0), key=lambda one: _FACTORS[one])
    return f"{size // _FACTORS[best]}{best}"


def _at_least(bound: int, shown: str) -> AfterValidator:
    def checked(quantity: str) -> str:
        if bytes_of(quantity) < bound:
            raise Refused(f'"{quantity}" is out of bounds', f"at least {shown}")
        return _checked(quantity)

    return AfterValidator(checked)


_UNIT = BeforeValidator(_with_unit)
_SCHEMA = WithJsonSchema(
    {"type": "string", "pattern": f"^{_NUMBER}{_SUFFIX}$", "examples": ["512Gi"]}
)
Quantity = Annotated[str, _UNIT, AfterValidator(_checked), _SCHEMA]
PositiveQuantity = Annotated[str, _UNIT, _at_least(MIN_BYTES, "1Mi"), _SCHEMA]
HardwareMemory = Annotated[str, _UNIT, _at_least(MIN_BYTES_OF_HARDWARE, "1Gi"), _SCHEMA]
"""Memory of a machine or a GPU."""


def millicpu_of(quantity: str) -> int:
    """Return the thousandths of a CPU that a quantity stands for; raises Refused for any other."""
    return int(_thousandths(quantity))
