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
    node = _node(text, key)
    if node is None:
        raise DistError(f"{file}: {key} is not written here as a value of its own; write {key}")
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    quote = _QUOTES.get(text[start], "")
    return _checked(file, text, text[:start] + quote + value + quote + text[end:], key, value)


def with_new_value(file: Path, text: str, key: str, value: str, after: str) -> str:
    """Return the text of a file with a key that it does not have yet, below another one."""
    node = _node(text, after)
    if node is None:
        raise DistError(f"{file}: {after} is not written here as a value of its own; write {key}")
    place = text.find("\n", int(node.end_mark.index)) + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text[:place] if place else text + newline
    changed = f"{before}{key}: {value}{newline}{text[place:] if place else ''}"
    return _checked(file, text, changed, key, value)


def has_value(text: str, key: str) -> bool:
    """Tell whether a file has a key of its own."""
    return key in (source_of(text.encode(), "").content or {})


def _node(text: str, key: str) -> yaml.ScalarNode | None:
    root = yaml.compose(text, CoreSchemaLoader)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    for name, node in pairs:
        if name.value == key and isinstance(node, yaml.ScalarNode):
            is_its_own = node.start_mark.index > name.end_mark.index
            plain = text[node.start_mark.index : node.end_mark.index][:1] not in (
                "&",
                "!",
                "|",
                ">",
            )
            return node if is_its_own and plain else None
    return None


def _checked(file: Path, before: str, after: str, key: str, value: str) -> str:
    """Return the text after an edit; raise DistError where it changes anything else."""
    old, new = (source_of(text.encode(), str(file)).content for text in (before, after))
    if old is None or new != {**old, key: value}:
        raise DistError(
            f"{file}: {key} cannot be changed without changing more; write {key}: {value}"
        )
    return after
