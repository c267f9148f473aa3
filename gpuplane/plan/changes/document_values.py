"""Reading single values of an object."""

from collections.abc import Mapping
from typing import Any

from charts_py.objects.document import ObjectKey


def kind_of(key: ObjectKey) -> str:
    """Return the kind with its group, as `NodePool.karpenter.sh`; the core group has no name."""
    return f"{key.kind}.{key.group}" if key.group else key.kind


def value_at(document: Mapping[str, Any] | None, *path: str) -> Any:
    """Return the value of a field; None where it, or one above it, is missing."""
    value: Any = document
    for name in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value
