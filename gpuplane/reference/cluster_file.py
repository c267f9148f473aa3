"""The reference of the cluster file, field by field, from the schema of its model."""

import json
from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, dotted
from charts_py.cluster_file.field_schema import described_at, field_names, key_names, schema_at
from gpuplane.reference import introduction, quoted, table_row

_NAME = "NAME"
"""Stands in a path for a key that the file chooses."""

_MAX_DEFAULT_LENGTH = 60
"""Characters; a longer default is described in the field's meaning."""


def cluster_file_reference() -> str:
    sections = [_section(path) for path in section_paths()]
    return "\n".join([introduction("cluster-file"), *sections])


def section_paths(path: FieldPath = ()) -> Iterator[FieldPath]:
    """Yield the paths of mappings with fixed fields, each before those in it."""
    schema = schema_at(path) or {}
    if "properties" in schema:
        yield path
        steps: tuple[str | int, ...] = field_names(path)
    elif schema.get("type") == "array":
        steps = (0,)
    else:
        steps = (_NAME,) if "additionalProperties" in schema else ()
    for step in steps:
        yield from section_paths((*path, step))


def _section(path: FieldPath) -> str:
    schema = schema_at(path) or {}
    place = f"`{dotted(path).replace('[0]', '[]')}`: " if path else ""
    rows = [
        _row((*path, name), is_required=name in schema.get("required", ()))
        for name in field_names(path)
    ]
    heading = [f"## {schema['title']}", "", f"{place}{_description(path)}", ""]
    table = ["| Field | Value | Default | Meaning |", "|---|---|---|---|"]
    return "\n".join([*heading, *table, *rows, ""])


def _row(path: FieldPath, *, is_required: bool) -> str:
    default = "required" if is_required else _default(path)
    return table_row(f"`{path[-1]}`", value_in_words(path), default, _description(path))


def value_in_words(path: FieldPath) -> str:
    schema = schema_at(path) or {}
    if "properties" in schema:
        return f"[{schema['title']}](#{schema['title'].lower()})"
    if schema.get("type") == "array":
        return f"{described_at(path)}, each {value_in_words((*path, 0))}"
    if "additionalProperties" in schema:
        keys = _choice(key_names(path)) or "a name"
        return f"{described_at(path)}, from {keys} to {value_in_words((*path, _NAME))}"
    if "enum" in schema:
        return _choice(schema["enum"])
    pattern = schema.get("pattern", "")
    return described_at(path).replace(pattern, f"`{pattern}`") if pattern else described_at(path)


def _choice(values: tuple[str, ...]) -> str:
    return f"one of {quoted(values)}" if values else ""


def _default(path: FieldPath) -> str:
    schema = schema_at(path) or {}
    default = schema.get("default")
    if default is None:
        return "none"
    if "properties" in schema:
        return "its defaults"
    shown = json.dumps(default)
    return f"`{shown}`" if len(shown) <= _MAX_DEFAULT_LENGTH else "see meaning"


def _description(path: FieldPath) -> str:
    return " ".join((schema_at(path) or {}).get("description", "").split())
