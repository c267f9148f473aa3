"""Kubernetes quantities of memory and storage, such as `512Gi`."""

import re
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from charts_py.spec.bounds import MAX_BYTES
from charts_py.spec.refused import Refused

_FACTORS = {
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
    "Pi": 2**50,
}
_DIGITS = 19
"""As many as bytes have that 63 bits can count."""
_PATTERN = rf"^[0-9]{{1,{_DIGITS}}}(k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$"


def bytes_of(quantity: str) -> int:
    """Return the bytes of a quantity in whole units.

    Raises Refused for anything but digits, and one of the suffixes that Kubernetes knows
    (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/).
    """
    matched = re.fullmatch(_PATTERN, quantity)
    if matched is None:
        suffixes = ", ".join(suffix for suffix in _FACTORS if suffix)
        allowed = f"up to {_DIGITS} digits and one of {suffixes}"
        raise Refused(f'"{quantity}" is not a quantity', allowed)
    suffix = matched.group(1) or ""
    return int(quantity.removesuffix(suffix)) * _FACTORS[suffix]


def _bounded(quantity: str) -> str:
    if bytes_of(quantity) > MAX_BYTES:
        raise Refused(f'"{quantity}" is out of bounds', f"at most {MAX_BYTES // _FACTORS['Pi']}Pi")
    return quantity


def _positive(quantity: str) -> str:
    if bytes_of(quantity) == 0:
        raise Refused(f'"{quantity}" is zero', "more than 0")
    return _bounded(quantity)


_SCHEMA = WithJsonSchema({"type": "string", "pattern": _PATTERN, "examples": ["512Gi"]})

Quantity = Annotated[str, AfterValidator(_bounded), _SCHEMA]

PositiveQuantity = Annotated[str, AfterValidator(_positive), _SCHEMA]
