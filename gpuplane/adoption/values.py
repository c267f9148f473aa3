"""Values of objects that may lack any field, or have another type there."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from policies.document import value_at


def mapping(value: Any, *path: str) -> Mapping[str, Any]:
    found = value_at(value, path)
    return found if isinstance(found, Mapping) else {}


def strings(value: Any, *path: str) -> dict[str, str]:
    """Return the scalars of a mapping at a path as strings, such as labels or quantities."""
    found = mapping(value, *path).items()
    return {str(key): str(one) for key, one in found if isinstance(one, (str, int, float))}


def items(value: Any, *path: str) -> list[Mapping[str, Any]]:
    found = value_at(value, path)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def texts(value: Any, *path: str) -> tuple[str, ...]:
    found = value_at(value, path)
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()


def whole_number(value: Any) -> int | None:
    """Return a number that is written as one or as a string; None for anything else.

    Kubernetes holds none of more digits.
    """
    is_one = isinstance(value, (int, str)) and re.fullmatch("[0-9]{1,18}", str(value))
    return int(value) if is_one else None


def listed(found: Iterable[object]) -> str:
    return ", ".join(sorted({str(one) for one in found}))
