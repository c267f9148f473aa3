"""How values in braces and brackets are written, those of JSON among them."""

import json
import re
from dataclasses import dataclass
from typing import Any

import yaml

from gpuplane.edits.scalar_text import json_text, scalar_text
from gpuplane.edits.yaml_entry import YamlEntry, entries

_WITHOUT_SPACES = re.compile(r'":\S|[\]}"\w],\S')


@dataclass(frozen=True, slots=True)
class FlowStyle:
    """What the outermost braces or brackets around a value are written in."""

    quote: str
    """Of strings, where they are not JSON."""
    is_json: bool
    comma: str
    colon: str
    unit: str | None
    """By which each level of JSON is set in; None where it is on one line."""

    def value(self, value: Any, margin: str | None, newline: str) -> str:
        """Return a value, which is behind a margin where it may take several lines."""
        if not self.is_json:
            return self._value(value)
        if margin is None or self.unit is None:
            return json_text(value, separators=(self.comma, self.colon))
        return json_text(value, self.unit).replace("\n", f"{newline}{margin}")

    def member(self, name: str, value: Any, margin: str | None, newline: str) -> str:
        """Return a member of a mapping, likewise."""
        key = json_text(name) if self.is_json else scalar_text(name, self.quote, in_flow=True)
        return f"{key}{self.colon}{self.value(value, margin, newline)}"

    def _value(self, value: Any) -> str:
        if isinstance(value, dict):
            inner = (self.member(name, one, None, "") for name, one in value.items())
            return f"{{{self.comma.join(inner)}}}"
        if isinstance(value, list):
            return f"[{self.comma.join(map(self._value, value))}]"
        return scalar_text(value, self.quote, in_flow=True)


def flow_style(text: str, holder: yaml.Node, above: YamlEntry | None, quote: str) -> FlowStyle:
    """Return how what is in braces or brackets is written; `above` is the entry with them."""
    outer, of_outer = holder, above
    while of_outer is not None and of_outer.is_flow:
        outer, of_outer = of_outer.holder, of_outer.above
    source = text[outer.start_mark.index : outer.end_mark.index]
    if not _is_json(source):
        return FlowStyle(quote, is_json=False, comma=", ", colon=": ", unit=None)
    unit = _unit(text, outer, of_outer)
    comma, colon = (",", ":") if _WITHOUT_SPACES.search(source) else (", ", ": ")
    return FlowStyle(quote, is_json=True, comma=comma, colon=colon, unit=unit)


def _is_json(source: str) -> bool:
    try:
        json.loads(source)
    except ValueError:
        return False
    return True


def _unit(text: str, outer: yaml.Node, above: YamlEntry | None) -> str | None:
    """Return by how much more than the line with its bracket the first entry is set in."""
    first = next(entries(text, outer, above), None)
    if first is None or not first.begins_its_line:
        return None
    start = text.rfind("\n", 0, outer.start_mark.index) + 1
    line = text[start : outer.start_mark.index]
    return first.margin.removeprefix(line[: len(line) - len(line.lstrip(" \t"))])
