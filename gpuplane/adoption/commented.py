"""Values of a cluster file with the object or label that states them, and their YAML."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gpus.platform_names import LABEL_PREFIX

_WORDS: Mapping[str, tuple[str, ...]] = {
    "team": ("team",),
    "owner": ("owner",),
    "costCenter": ("cost-center", "costcenter", "cost-centre", "cost_center", "costCenter"),
    "project": ("project",),
    "purpose": ("purpose", "workload", "workload-type"),
}
"""The last part of the keys that state a field, such as `example.com/cost-center`."""
_PLAIN = re.compile(r"[A-Za-z]([\w ./@-]*[\w.])?|[0-9]+\.[0-9]+\.[0-9]+[\w.-]*", re.ASCII)
"""Text that YAML takes for text without quotes, but for what follows."""
_NOT_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_INDENT = "  "
_LONGEST_NAME = 253
"""Length of the longest name in Kubernetes; YAML has keys of 1024 characters at most."""


@dataclass(frozen=True, slots=True)
class Commented:
    """A value of a cluster file, with what is to be known of it."""

    value: Any
    """A scalar, a list of scalars, or a mapping of names to more of these."""
    origin: str = ""
    """The object that states it, which stands behind it."""
    notes: tuple[str, ...] = ()
    """What stands in lines above it."""


def written(fields: Mapping[str, Commented], depth: int = 0, above: str = "") -> Iterator[str]:
    """Yield the lines of a mapping; what its holder's origin, `above`, says is not said again."""
    indent = _INDENT * depth
    for name, field in fields.items():
        yield from (f"{indent}# {one_line(note)}" for note in field.notes)
        is_stated = field.origin in ("", above)
        behind = "" if is_stated else f" # {one_line(field.origin)}"
        members = field.value.values() if isinstance(field.value, Mapping) else ()
        if any(isinstance(one, Commented) for one in members):
            yield f"{indent}{_key(name)}:{behind}"
            yield from written(field.value, depth + 1, field.origin)
        elif field.value is not None:
            yield f"{indent}{_key(name)}: {_flow(field.value)}{behind}"


def note(*texts: str) -> Commented:
    return Commented(None, notes=texts)


def one_line(text: str) -> str:
    """Return text as a comment can hold it: on one line, of characters that can be seen."""
    return "".join(one if one.isprintable() else "?" for one in " ".join(text.split()))


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _key(name: str) -> str:
    return _scalar(name[:_LONGEST_NAME])


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT:
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]+[A-Za-z][\w.-]*", value):
        return value if not re.fullmatch(r"[0-9]+[eE][0-9]+|0[xo].*", value) else json.dumps(value)
    return json.dumps(value, ensure_ascii=False)


def stated(
    labels: Mapping[str, str], field: str, allowed: Collection[str] | None = None
) -> Commented:
    """Return the value of the label that states a field, or why there is none.

    Labels of gpuplane count alone where there are some; others count where they say the same.
    """
    found = {key: labels[key] for key in keys_of(labels, field)}
    own = {key: value for key, value in found.items() if key.startswith(f"{LABEL_PREFIX}/")}
    usable = {key: one for key, one in (own or found).items() if not allowed or one in allowed}
    if len(set(usable.values())) == 1:
        key, value = next(iter(usable.items()))
        return Commented(value, f"label {key}")
    choices = f"; choose one of {', '.join(allowed)}" if allowed else "; set it"
    if usable:
        shown = ", ".join(f"{key}={value}" for key, value in usable.items())
        return note(f"{field}: labels differ, {shown}{choices}")
    return note(f"{field}: no label tells it{choices}")


def keys_of(labels: Mapping[str, str], field: str) -> list[str]:
    return sorted(key for key in labels if key.rpartition("/")[2] in _WORDS[field])
