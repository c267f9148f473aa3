"""The core schema of YAML 1.2: which plain scalars are numbers, booleans or null."""

import math
import re
from collections.abc import Callable, Mapping
from typing import ClassVar

import yaml

TAG = "tag:yaml.org,2002:"
"""Prefix of the tags of YAML's own types."""
MERGE_TAG = f"{TAG}merge"
NULL_TAG = f"{TAG}null"

Scalar = str | int | float | bool | None


class CoreSchemaLoader(yaml.CSafeLoader):
    """Resolves plain scalars by the core schema (https://yaml.org/spec/1.2.2/#103-core-schema).

    Infinity and not-a-number are left out: no field could hold them.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {  # type: ignore[misc]  # the stubs declare it on the instance
        first: [
            (NULL_TAG, re.compile(r"^(?:~|null|Null|NULL|)$")),
            (f"{TAG}bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")),
            (f"{TAG}int", re.compile(r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$")),
            (
                f"{TAG}float",
                re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"),
            ),
            (MERGE_TAG, re.compile(r"^<<$")),
        ]
        for first in ("", *"~nNtTfF+-.0123456789<")
    }


def _whole_number(text: str) -> int:
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    return int(text, base)


def _number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


_SCALARS: Mapping[str, Callable[[str], Scalar]] = {
    NULL_TAG: lambda _: None,
    f"{TAG}bool": lambda text: {"true": True, "false": False}[text.lower()],
    f"{TAG}int": _whole_number,
    f"{TAG}float": _number,
    f"{TAG}str": str,
}


def scalar_of(tag: str, text: str) -> Scalar:
    """Return the value of a scalar.

    Raises KeyError for a tag that the core schema lacks, and ValueError for text that its tag does
    not allow, or for a number that no field could hold.
    """
    return _SCALARS[tag](text)
