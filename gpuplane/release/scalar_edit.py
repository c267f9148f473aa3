"""Changing one value at the top of a cluster file, and nothing else of it."""

import re
from pathlib import Path

import yaml

from charts_py.cluster_file.source import source_of
from charts_py.cluster_file.yaml_reader import CoreSchemaLoader
from gpuplane.edits.text_edit import TextEdit, as_lines, edited
from gpuplane.edits.written_value import quoted_text
from gpuplane.edits.yaml_entry import YamlEntry, entries
from gpuplane.versions.tree import DistError

_QUOTES = ("", "'", '"')


def with_value(file: Path, text: str, key: str, value: str) -> str:
    """Return the text of a file with another value of a key that stands in it.

    Comments, order and quotes stay; a version is written without quotes where it had none. Raises
    DistError where the key is not written there as a value of its own, such as where an anchor
    shares it.
    """
    entry = _entry(text, key)
    if entry is None or not _stands_alone(entry):
        remedy = f"write {key}: {value}"
        raise DistError(f"{file}: {key} is not written here as a value of its own; {remedy}")
    style = _style(entry)
    written = quoted_text(value, style) if style else value
    after = edited(text, TextEdit(entry.value_start, entry.end, written))
    return _checked(file, text, after, key, value)


def with_new_value(file: Path, text: str, key: str, value: str, after: str) -> str:
    """Return the text of a file with a key that it does not have yet, below another one.

    It takes the place of a comment there that has the key, as `gpuplane init` writes one.
    """
    above = _entry(text, after)
    place = len(text) if above is None else above.lines[1]
    example = re.compile(rf"# ?{re.escape(key)}: +[^\s#]+(?=\s*$| +#)", re.MULTILINE)
    if (found := example.match(text, place)) is not None:
        edit = TextEdit(*found.span(), f"{key}: {value}")
    else:
        edit = TextEdit(place, place, as_lines(text, place, (f"{key}: {value}",)))
    return _checked(file, text, edited(text, edit), key, value)


def has_value(text: str, key: str) -> bool:
    return key in (source_of(text.encode(), "").content or {})


def _entry(text: str, key: str) -> YamlEntry | None:
    root = yaml.compose(text, CoreSchemaLoader)
    return next((each for each in entries(text, root) if each.step == key), None)


def _stands_alone(entry: YamlEntry) -> bool:
    """Return whether a value is a plain or quoted one, neither an alias nor anchored nor tagged."""
    is_line = isinstance(entry.value, yaml.ScalarNode) and _style(entry) in _QUOTES
    return is_line and bool(entry.value_text) and not entry.is_alias and not entry.has_properties


def _style(entry: YamlEntry) -> str:
    """Return the quote of a value, or what begins a block; nothing of a plain one."""
    node = entry.value
    return (node.style or "") if isinstance(node, yaml.ScalarNode) else ""


def _checked(file: Path, before: str, after: str, key: str, value: str) -> str:
    """Return the text after an edit; raise DistError where it changes anything else."""
    old, new = (source_of(text.encode(), str(file)).content for text in (before, after))
    if old is None or new != {**old, key: value}:
        raise DistError(
            f"{file}: {key} cannot be changed without changing more; write {key}: {value}"
        )
    return after
