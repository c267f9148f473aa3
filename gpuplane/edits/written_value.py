"""Writing new values in the style of the file: in blocks, in braces, and as scalars."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

from charts_py.objects.manifest_yaml import LIKE_ANOTHER_TYPE
from gpuplane.edits.yaml_entry import YamlEntry, entries, is_block

_STEP = 2
"""Indentation of a mapping within its holder, in a file that shows none."""
_OFFSET = 0
"""Indentation of a sequence within the mapping that holds it, in a file that shows none."""
_QUOTE = '"'
_QUOTES = ("'", '"')
_UNREADABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""JSON may hold these, but YAML may not, or ends the line at them."""
_UNBROKEN = 2**31 - 1
_WITHOUT_SPACES = re.compile(r'":\S|[\]}"\w],\S')
DASH = 2
"""Indentation of an item within its dash."""


@dataclass(frozen=True, slots=True)
class BlockStyle:
    """The style of most of a file."""

    step: int
    """Indentation of a mapping within the one that holds it."""
    offset: int
    """Indentation of a sequence; 0 where its dashes stand below the key."""
    quote: str


def style_of(root: yaml.Node | None) -> BlockStyle:
    steps, offsets, quotes = Counter[int](), Counter[int](), Counter[str]()
    for key, node in _nodes(root):
        if isinstance(node, yaml.ScalarNode):
            quotes[node.style] += 1
        elif key is not None and is_block(node):
            inner = node.start_mark.column - key.start_mark.column
            (offsets if isinstance(node, yaml.SequenceNode) else steps)[inner] += 1
    return BlockStyle(
        step=next((step for step, _ in steps.most_common() if step > 0), _STEP),
        offset=next((offset for offset, _ in offsets.most_common() if offset >= 0), _OFFSET),
        quote=max(_QUOTES, key=lambda quote: (quotes[quote], quote == _QUOTE)),
    )


def _nodes(root: yaml.Node | None) -> Iterator[tuple[yaml.Node | None, yaml.Node]]:
    """Yield each node of a document once, with its key where it is a value."""
    waiting = [] if root is None else [(None, root)]
    seen = set()
    while waiting:
        key, node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield key, node
        if isinstance(node, yaml.MappingNode):
            waiting += reversed(node.value)
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(None, item) for item in reversed(node.value)]


class Written(NamedTuple):
    """A value behind a key or a dash."""

    head: str
    """What follows on the same line."""
    lines: tuple[str, ...] = ()
    """The lines below, at the margin."""


def written(value: Any, style: BlockStyle) -> Written:
    if value and isinstance(value, dict):
        members = (member_lines(name, inner, style) for name, inner in value.items())
        return Written("", tuple(line for lines in members for line in lines))
    if value and isinstance(value, list):
        items = (item_lines(item, style) for item in value)
        return Written("", tuple(line for lines in items for line in lines))
    if isinstance(value, str) and _is_literal(value):
        *lines, after = value.split("\n")
        return Written("|-", (*lines, after)) if after else Written("|", tuple(lines))
    return Written(scalar_text(value, style.quote))


def member_lines(name: str, value: Any, style: BlockStyle) -> Iterator[str]:
    """Write a member of a mapping, its key at the margin."""
    head, lines = written(value, style)
    key = scalar_text(name, style.quote)
    yield f"{key}: {head}" if head else f"{key}:"
    yield from set_in(lines, style.offset if isinstance(value, list) else style.step)


def item_lines(value: Any, style: BlockStyle, width: int = DASH) -> Iterator[str]:
    """Write an item of a sequence, its dash at the margin.

    `width` is its indentation within the dash.
    """
    head, lines = written(value, style)
    first, rest = (head, lines) if head else (lines[0], lines[1:])
    yield f"-{' ' * (width - 1)}{first}"
    yield from set_in(rest, width)


def set_in(lines: Iterable[str], by: int) -> Iterator[str]:
    """Indent lines, but not empty ones."""
    return (f"{' ' * by}{line}" if line else line for line in lines)


def _is_literal(text: str) -> bool:
    lines = text.removesuffix("\n").split("\n")
    ends_with_text = bool(lines[-1])
    return (
        "\n" in text
        and ends_with_text
        and not lines[0].startswith((" ", "\t"))
        and bool(lines[0])
        and all(line.replace("\t", " ").isprintable() for line in lines)
    )


def scalar_text(value: Any, quote: str, *, in_flow: bool = False) -> str:
    """Write a scalar on one line, in these quotes if it needs any and they can hold it."""
    if not isinstance(value, str):
        # A document of one plain scalar ends with the mark that says so.
        return _dumped(value).removesuffix("...\n").rstrip("\n")
    return value if is_plain(value, in_flow=in_flow) else quoted_text(value, quote)


def quoted_text(text: str, quote: str) -> str:
    """Write a string in these quotes, or in double ones where only they can hold it."""
    if not text.isprintable():
        return _dumped(text, default_style='"').rstrip("\n")
    if quote == "'":
        return "'" + text.replace("'", "''") + "'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def json_text(
    value: Any, indent: str | None = None, separators: tuple[str, str] | None = None
) -> str:
    """Write JSON that YAML reads as well."""
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


@dataclass(frozen=True, slots=True)
class FlowStyle:
    """The style of the outermost braces or brackets around a value."""

    quote: str
    """Quote of strings, unless they are JSON."""
    is_json: bool
    comma: str
    colon: str
    unit: str | None
    """Indentation of each level of JSON; None where it is on one line."""

    def value(self, value: Any, margin: str | None, newline: str) -> str:
        """Write a value; it may take several lines where a margin is given."""
        if not self.is_json:
            return self._value(value)
        if margin is None or self.unit is None:
            return json_text(value, separators=(self.comma, self.colon))
        return json_text(value, self.unit).replace("\n", f"{newline}{margin}")

    def member(self, name: str, value: Any, margin: str | None, newline: str) -> str:
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
    """Return the style of braces or brackets; `above` is the entry whose value they are."""
    outer, of_outer = holder, above
    while of_outer is not None and of_outer.is_flow:
        outer, of_outer = of_outer.holder, of_outer.above
    source = text[outer.start_mark.index : outer.end_mark.index]
    try:
        json.loads(source)
    except ValueError:
        return FlowStyle(quote, is_json=False, comma=", ", colon=": ", unit=None)
    unit = _unit(text, outer, of_outer)
    comma, colon = (",", ":") if _WITHOUT_SPACES.search(source) else (", ", ": ")
    return FlowStyle(quote, is_json=True, comma=comma, colon=colon, unit=unit)


def _unit(text: str, outer: yaml.Node, above: YamlEntry | None) -> str | None:
    """Return how much further than the line of its bracket the first entry is indented."""
    first = next(entries(text, outer, above), None)
    if first is None or not first.begins_its_line:
        return None
    start = text.rfind("\n", 0, outer.start_mark.index) + 1
    line = text[start : outer.start_mark.index]
    return first.margin.removeprefix(line[: len(line) - len(line.lstrip(" \t"))])
