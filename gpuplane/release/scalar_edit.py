"""Changing one value at the top of a cluster file, and nothing else of it."""

import re
from pathlib import Path

import yaml

from charts_py.cluster_file.source import source_of
from gpuplane.edits.text_edit import TextEdit, as_lines, edited
from gpuplane.edits.written_value import quoted_text
from gpuplane.edits.yaml_entry import find_entry
from gpuplane.versions.tree import DistError

_QUOTES = ("", "'", '"')
_EXAMPLE = re.compile(r"# ?live: +[^\s#]+(?=\s*$| +#)", re.MULTILINE)


def with_value(file: Path, text: str, key: str, value: str) -> str:
    """Return the text of a file with another value of a key that stands in it.

    Comments, order and quotes stay; a version is written without quotes where it had none. Raises
    DistError where the key is not written there as a value of its own, such as where an anchor
    shares it.
    """
    entry = find_entry(text, (key,))
    node = None if entry is None or entry.is_alias or entry.has_properties else entry.value
    style = (node.style or "") if isinstance(node, yaml.ScalarNode) else None
    # A value is plain or quoted, and no block.
    if entry is None or style not in _QUOTES or not entry.value_text:
        remedy = f"write {key}: {value}"
        raise DistError(f"{file}: {key} is not written here as a value of its own; {remedy}")
    written = quoted_text(value, style) if style else value
    after = edited(text, TextEdit(entry.value_start, entry.end, written))
    return _checked(file, text, after, key, value)


def with_live(file: Path, text: str, version: str) -> str:
    """Return the text of a cluster file by which a version is live.

    Where the file does not say what is, it then does below the version that it renders, in the
    place of a comment there, as `gpuplane init` writes one. Raises what `with_value` does.
    """
    if has_value(text, "live"):
        return with_value(file, text, "live", version)
    above = find_entry(text, ("version",))
    place = len(text) if above is None else above.lines[1]
    if (found := _EXAMPLE.match(text, place)) is not None:
        edit = TextEdit(*found.span(), f"live: {version}")
    else:
        edit = TextEdit(place, place, as_lines(text, place, (f"live: {version}",)))
    return _checked(file, text, edited(text, edit), "live", version)


def has_value(text: str, key: str) -> bool:
    return key in (source_of(text.encode(), "").content or {})


def _checked(file: Path, before: str, after: str, key: str, value: str) -> str:
    """Return the text after an edit; raise DistError where it changes anything else."""
    old, new = (source_of(text.encode(), str(file)).content for text in (before, after))
    if old is None or new != {**old, key: value}:
        raise DistError(
            f"{file}: {key} cannot be changed without changing more; write {key}: {value}"
        )
    return after
