"""Putting another value in the place of one in the text of a YAML file."""

from typing import Any

import yaml

from gpuplane.edits.block_style import BlockStyle
from gpuplane.edits.flow_style import flow_style
from gpuplane.edits.removal import IN_BRACES
from gpuplane.edits.scalar_text import quoted_text
from gpuplane.edits.text_edit import TextEdit, as_lines, newline_of
from gpuplane.edits.uneditable import UneditableError
from gpuplane.edits.written_value import DASH, Written, set_in, written
from gpuplane.edits.yaml_entry import YamlEntry, line_end

_LITERAL = ("|", ">")


def replacement(entry: YamlEntry, value: Any, style: BlockStyle) -> TextEdit:
    """Return how an entry gets another value. Raises UneditableError."""
    if entry.has_properties:
        raise UneditableError(f"{entry.value_text.split()[0]} stands before its value")
    if _style(entry) in _LITERAL and "#" in entry.value_text.split("\n")[0]:
        raise UneditableError(f"a comment stands beside {_style(entry)}")
    if entry.is_flow:
        return _in_flow(entry, value, style)
    new = _with_its_quotes(entry, value) or written(value, style)
    if entry.is_block or new.lines:
        return _in_block(entry, value, new, style)
    return _on_one_line(entry, new.head)


def _on_one_line(entry: YamlEntry, text: str) -> TextEdit:
    if entry.comments(entry.value_start, entry.end):
        raise UneditableError(IN_BRACES)
    return TextEdit(entry.value_start, entry.end, text if entry.value_text else f" {text}")


def _in_flow(entry: YamlEntry, value: Any, style: BlockStyle) -> TextEdit:
    flow = flow_style(entry.text, entry.holder, entry.above, style.quote)
    margin = entry.margin if entry.begins_its_line else None
    quoted = None if flow.is_json else _with_its_quotes(entry, value)
    new = quoted.head if quoted else flow.value(value, margin, newline_of(entry.text))
    return _on_one_line(entry, new)


def _in_block(entry: YamlEntry, value: Any, new: Written, style: BlockStyle) -> TextEdit:
    """Return how an entry gets a value that takes lines of its own, or had one; comments stay."""
    text, end = entry.text, entry.lines[1]
    first_end = min(line_end(text, entry.head_end), end)
    beside = entry.comments(entry.head_end, first_end)
    kept = entry.comments(first_end, end)
    head, lines = new.head, new.lines
    if entry.key is None and not head and not beside and not kept:
        head, lines = lines[0], lines[1:]
    head = "  ".join((f" {head}" if head else "", *beside)).rstrip()
    inner = entry.indent + _depth(entry, value, style)
    first = f"{text[entry.lines[0] : entry.head_end]}{head}"
    below = [*set_in(lines, inner)]
    if isinstance(value, str):
        # Within text, a comment would be part of it.
        below += [f"{' ' * entry.indent}{comment}" for comment in kept]
    else:
        below = [*(f"{' ' * inner}{comment}" for comment in kept), *below]
    whole = as_lines(text, entry.lines[0], (first, *below))
    return TextEdit(entry.lines[0], end, whole)


def _depth(entry: YamlEntry, value: Any, style: BlockStyle) -> int:
    """Return how far the lines of a value are set in within its key, or its dash."""
    if entry.key is None:
        return DASH
    return style.offset if value and isinstance(value, list) else style.step


def _with_its_quotes(entry: YamlEntry, value: Any) -> Written | None:
    """Return a string in the quotes of the one that it replaces."""
    quote = _style(entry)
    if isinstance(value, str) and "\n" not in value and quote in ("'", '"'):
        return Written(quoted_text(value, quote))
    return None


def _style(entry: YamlEntry) -> str | None:
    """Return what a scalar begins with that is not plain."""
    node = entry.value
    return node.style if isinstance(node, yaml.ScalarNode) and not entry.is_alias else None
