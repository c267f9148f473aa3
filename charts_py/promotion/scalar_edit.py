"""Changing one value at the top of a cluster file, and nothing else of it."""

from pathlib import Path

import yaml

from charts_py.release.dist_error import DistError
from charts_py.spec.core_schema import CoreSchemaLoader
from charts_py.spec.source import source_of

_QUOTES = {"'": "'", '"': '"'}


def with_value(file: Path, text: str, key: str, value: str) -> str:
    """Return the text of a file with another value of a key that stands in it.

    Comments, order and quotes stay. Raises DistError where the key is not written there as a plain
    value, such as where an anchor shares it.
    """
    node = _node(file, text, key, f"{key}: {value}")
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    quote = _QUOTES.get(text[start], "")
    return _checked(file, text, text[:start] + quote + value + quote + text[end:], key, value)


def with_new_value(file: Path, text: str, key: str, value: str, after: str) -> str:
    """Return the text of a file with a key that it does not have yet, below another one."""
    node = _node(file, text, after, f"{key}: {value}")
    place = text.find("\n", int(node.end_mark.index)) + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text[:place] if place else text + newline
    changed = f"{before}{key}: {value}{newline}{text[place:] if place else ''}"
    return _checked(file, text, changed, key, value)


def has_value(text: str, key: str) -> bool:
    """Tell whether a file has a key of its own."""
    return key in (source_of(text.encode(), "").content or {})


def _node(file: Path, text: str, key: str, remedy: str) -> yaml.ScalarNode:
    """Return a plain or quoted value that stands behind its key; raise DistError without one."""
    root = yaml.compose(text, CoreSchemaLoader)
    for name, node in root.value if isinstance(root, yaml.MappingNode) else ():
        if name.value == key and _stands_alone(text, name, node):
            assert isinstance(node, yaml.ScalarNode)  # noqa: S101 # as it was found to be
            return node
    raise DistError(f"{file}: {key} is not written here as a value of its own; write {remedy}")


def _stands_alone(text: str, name: yaml.Node, node: yaml.Node) -> bool:
    """Tell whether a value is neither an alias nor anchored, tagged or a block."""
    start = node.start_mark.index
    between = text[name.end_mark.index : start]
    return (
        isinstance(node, yaml.ScalarNode)
        and start > name.end_mark.index
        and not set("&!") & {*between, *text[start : start + 1]}
        and text[start : start + 1] not in ("|", ">")
    )


def _checked(file: Path, before: str, after: str, key: str, value: str) -> str:
    """Return the text after an edit; raise DistError where it changes anything else."""
    old, new = (source_of(text.encode(), str(file)).content for text in (before, after))
    if old is None or new != {**old, key: value}:
        raise DistError(
            f"{file}: {key} cannot be changed without changing more; write {key}: {value}"
        )
    return after
