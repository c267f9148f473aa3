"""What keeps a document from being an object that can be rendered."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.objects.secret import secret_fault

_MAX_SAFE_INTEGER = 2**53
"""Every JSON parser reads integers up to this one exactly:
https://www.rfc-editor.org/rfc/rfc8259#section-6
"""


def faults_of(content: Any) -> Iterator[str]:
    """Yield what is wrong with a YAML document that should be one object."""
    if not isinstance(content, dict):
        yield f"{_shown(content)} is not an object; allowed: a mapping with apiVersion and kind"
        return
    misnamed = list(identity_faults(content))
    yield from misnamed
    yield from (f"{path}: {what}" for path, what in not_json(content, ""))
    # Everything that is rendered is checked again; only here are file and line known.
    if not misnamed and (fault := secret_fault(content)) is not None:
        yield fault


def identity_faults(content: Mapping[str, Any]) -> Iterator[str]:
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
            what = "missing" if value in (None, "") else f"{_shown(value)} is not a string"
            yield f"{path}: {what}"


def not_json(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield values that YAML allows and the API server cannot accept."""
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}".removeprefix(".")
            if not isinstance(key, str):
                yield place, f"key {_shown(key)} is not a string; quote it"
            yield from not_json(inner, place)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from not_json(inner, f"{path}[{position}]")
    elif (what := json_scalar_fault(value)) is not None:
        yield path, what


def json_scalar_fault(value: Any) -> str | None:
    """Return why a value, not a mapping or list, is not one of JSON; None where it is."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a JSON number"
    if isinstance(value, int) and abs(value) > _MAX_SAFE_INTEGER:
        return f"{value} loses digits in JSON; allowed: at most {_MAX_SAFE_INTEGER}"
    if value is not None and not isinstance(value, (str, int, float)):
        return f"{type(value).__name__} is not a JSON type"
    return None


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
