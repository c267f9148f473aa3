"""What keeps a document from being an object that can be rendered."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.objects.secret import secret_fault

_MAX_INTEGER = 2**53
"""Up to here a number is the same in every reader of JSON:
https://www.rfc-editor.org/rfc/rfc8259#section-6
"""


def faults_of(content: Any) -> Iterator[str]:
    """Yield what is wrong with a document of YAML that is to be one object."""
    if not isinstance(content, dict):
        yield f"{_shown(content)} is no object; allowed: a mapping with apiVersion and kind"
        return
    misnamed = list(_misnamed(content))
    yield from misnamed
    yield from (f"{path}: {what}" for path, what in not_json(content, ""))
    # All that is rendered is checked once more; only here are file and line known.
    if not misnamed and (fault := secret_fault(content)) is not None:
        yield fault


def _misnamed(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the fields that identify an object."""
    found = content.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    identity = {
        "apiVersion": content.get("apiVersion"),
        "kind": content.get("kind"),
        "metadata.name": metadata.get("name"),
    }
    if "namespace" in metadata:
        identity["metadata.namespace"] = metadata["namespace"]
    for path, value in identity.items():
        if not isinstance(value, str) or not value:
            what = "missing" if value in (None, "") else f"{_shown(value)} is no text"
            yield f"{path}: {what}"


def not_json(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield what YAML can say and the API server cannot be told."""
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}".removeprefix(".")
            if not isinstance(key, str):
                yield place, f"key {_shown(key)} is no text; quote it"
            yield from not_json(inner, place)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from not_json(inner, f"{path}[{position}]")
    elif (what := _no_json_scalar(value)) is not None:
        yield path, what


def _no_json_scalar(value: Any) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is no number of JSON"
    if isinstance(value, int) and abs(value) > _MAX_INTEGER:
        return f"{value} loses digits in JSON; allowed: at most {_MAX_INTEGER}"
    if value is not None and not isinstance(value, (str, int, float)):
        return f"a {type(value).__name__} is no value of JSON"
    return None


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
