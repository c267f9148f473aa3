"""Where in a manifest a field stands."""

from typing import NamedTuple

import yaml

from policies.document import steps_of


class Span(NamedTuple):
    """The key of a field, or the first one of an item of a list; all count from 1."""

    line: int
    column: int
    end_column: int
    """The first one behind it."""


def line_of(root: yaml.Node, pointer: str) -> int:
    """Return the line, from 1, of the field that a JSON Pointer leads to.

    Where there is none, it is that of the nearest field that should hold it.
    """
    return int(_nearest(root, pointer).start_mark.line) + 1


def span_of(root: yaml.Node, pointer: str) -> Span:
    """Return where the key stands of the field that a JSON Pointer leads to.

    Where there is none, it is that of the nearest field that should hold it.
    """
    shown = _first_key(_nearest(root, pointer))
    start, end = shown.start_mark, shown.end_mark
    # What goes on over several lines is shown by where it begins.
    width = end.column - start.column if end.line == start.line else 1
    return Span(start.line + 1, start.column + 1, start.column + 1 + max(width, 1))


def _nearest(root: yaml.Node, pointer: str) -> yaml.Node:
    """Return the key of a field, or the item, or the root."""
    node = shown = root
    for step in steps_of(pointer):
        found = _field(node, step)
        if found is None:
            break
        shown, node = found
    return shown


def _field(node: yaml.Node, step: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Return where a member of a node is shown, and its value."""
    if isinstance(node, yaml.MappingNode):
        # What is merged in comes first, and what the mapping says itself counts.
        for key, value in reversed(node.value):
            if key.value == step:
                return key, value
        return None
    if isinstance(node, yaml.SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        item = node.value[int(step)]
        return item, item
    return None


def _first_key(node: yaml.Node) -> yaml.Node:
    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        first = node.value[0]
        node = first[0] if isinstance(node, yaml.MappingNode) else first
    return node
