"""Reading raw JSON documents, of which nothing is assumed, and JSON Pointers into them.

https://www.rfc-editor.org/rfc/rfc6901
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Json: TypeAlias = Any
"""What a JSON decoder returns; nothing may be assumed about it."""
Document: TypeAlias = dict[str, Json]
"""A JSON object."""

_EMPTY: Mapping[str, Json] = {}


def members(value: Json) -> Mapping[str, Json]:
    """Return the value where it is an object, else an empty one."""
    return value if type(value) is dict else _EMPTY


def elements(value: Json) -> Sequence[Json]:
    """Return the value where it is an array, else an empty one."""
    return value if type(value) is list else ()


def text(value: Json) -> str:
    """Return the value where it is a string, else an empty one."""
    return value if type(value) is str else ""


def pointer(*tokens: str | int) -> str:
    """Return the JSON Pointer of these tokens."""
    return "".join(f"/{escaped(token) if type(token) is str else token}" for token in tokens)


def escaped(token: str) -> str:
    """Spell a member's name as a token of a JSON Pointer."""
    if "/" in token or "~" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def unescaped(token: str) -> str:
    """Return the member's name that a token of a JSON Pointer spells."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def field_path(at: str) -> str:
    """Spell a JSON Pointer as Kubernetes names fields in its errors: `spec.containers[0].image`."""
    parts: list[str] = []
    for token in at.split("/")[1:]:
        name = unescaped(token)
        if name.isdecimal():
            parts.append(f"[{name}]")
        elif "." in name or "/" in name:
            parts.append(f"[{name}]")
        else:
            parts.append(f".{name}" if parts else name)
    return "".join(parts)
