"""On which line of a manifest a field stands."""

import yaml
from jsonpointer import JsonPointer


def line_of(root: yaml.Node, pointer: str) -> int:
    """Return the line, from 1, of the field that a JSON Pointer leads to.

    Where there is none, it is that of the nearest field that should hold it.
    """
    node, line = root, int(root.start_mark.line)
    for step in JsonPointer(pointer).parts:
        found = _field(node, step)
        if found is None:
            break
        line, node = found
    return line + 1


def _field(node: yaml.Node, step: str) -> tuple[int, yaml.Node] | None:
    """Return the line, from 0, of a member of a node, and its value."""
    if isinstance(node, yaml.MappingNode):
        return next(
            ((key.start_mark.line, value) for key, value in node.value if key.value == step), None
        )
    if isinstance(node, yaml.SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        item = node.value[int(step)]
        return item.start_mark.line, item
    return None
