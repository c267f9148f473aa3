"""Writing scalars: strings have quotes where a reader of YAML would take them for another."""

import json
import re
from typing import Any

import yaml

from charts_py.cluster_file.plain_text import LIKE_ANOTHER_TYPE

_UNREADABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What JSON may hold, but YAML may not, or takes for the end of a line."""
_UNBROKEN = 2**31 - 1
"""Width of lines, in characters."""


def scalar_text(value: Any, quote: str, *, in_flow: bool = False) -> str:
    """Return a scalar on one line, with these quotes if it needs any that allow it."""
    if not isinstance(value, str):
        # A document of one plain scalar ends with the mark that says so.
        return _dumped(value).removesuffix("...\n").rstrip("\n")
    return value if is_plain(value, in_flow=in_flow) else quoted_text(value, quote)


def quoted_text(text: str, quote: str) -> str:
    """Return a string in these quotes, or in double ones where only they can hold it."""
    if not text.isprintable():
        return _dumped(text, default_style='"').rstrip("\n")
    if quote == "'":
        return "'" + text.replace("'", "''") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def json_text(
    value: Any, indent: str | None = None, separators: tuple[str, str] | None = None
) -> str:
    """Return a value as JSON that YAML reads as well."""
    written = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    return _UNREADABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def is_plain(text: str, *, in_flow: bool = False) -> bool:
    """Whether a string reads as itself without quotes."""
    dumped = _dumped([text], default_flow_style=in_flow)
    bare = f"[{text}]\n" if in_flow else f"- {text}\n"
    return dumped == bare and "\n" not in text and not LIKE_ANOTHER_TYPE.match(text)


def _dumped(value: Any, **style: Any) -> str:
    return str(
        yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True, width=_UNBROKEN, **style)
    )
