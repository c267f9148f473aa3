"""What a model allows at a path of its file, according to its JSON schema.

The model is that of a cluster file unless another is named.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import yaml

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import FieldPath, counted, dotted
from charts_py.cluster_file.strict_model import StrictModel

Schema: TypeAlias = Mapping[str, Any]
"""A JSON schema, or a part of one (https://json-schema.org/draft/2020-12)."""
Model: TypeAlias = type[StrictModel]
"""What a file as a whole is read as."""


def schema_at(path: FieldPath, model: Model = Cluster) -> Schema | None:
    whole = schema = _schema_of(model)
    for step in path:
        inner = _inside(schema, step, whole)
        if inner is None:
            return None
        schema = inner
    return schema


def field_names(path: FieldPath, model: Model = Cluster) -> tuple[str, ...]:
    """Return the names of the fields of the mapping at a path, in the order of the model."""
    return tuple((schema_at(path, model) or {}).get("properties", ()))


def places_below(name: str, holder: FieldPath, model: Model = Cluster) -> Iterator[str]:
    """Yield where in the fields of a holder a field of that name stands."""
    for field in field_names(holder, model):
        # A field of each entry, where its holder has entries by name.
        for inside in ((field,), (field, "NAME")):
            if name in field_names((*holder, *inside), model):
                yield dotted((*inside, name))


def owner_above(name: str, holder: FieldPath, model: Model = Cluster) -> FieldPath | None:
    """Return the nearest model around a holder that has a field of that name; None without one."""
    above = (holder[:length] for length in range(len(holder) - 1, -1, -1))
    return next((path for path in above if name in field_names(path, model)), None)


def key_names(path: FieldPath, model: Model = Cluster) -> tuple[str, ...]:
    """Return the names that the keys of the mapping at a path are limited to."""
    return tuple(_keys_at(path, model).get("enum", ()))


def allowed_key(path: FieldPath, model: Model = Cluster) -> str:
    """Return what the keys of the mapping at a path have to be."""
    return allowed_by({"type": "string", **_keys_at(path, model)})


def takes_true(path: FieldPath, model: Model = Cluster) -> bool:
    """Return whether the field at a path may be `true`, which stands for `{}`."""
    fields = (schema_at(path[:-1], model) or {}).get("properties", {})
    return is_switch(fields.get(path[-1], {}), _schema_of(model))


def is_switch(field: Schema, whole: Schema) -> bool:
    """Return whether a field is a mapping that may be absent, and whose fields all have defaults.

    `true` switches it on.
    """
    if {"type": "null"} not in field.get("anyOf", ()):
        return False
    mapping = _resolved(field, whole)
    return "properties" in mapping and "required" not in mapping


def spelled_out(content: Any, model: Model = Cluster) -> Any:
    """Return content of a file with `{}` in the place of each `true` that stands for it."""
    whole = _schema_of(model)
    return _spelled_out(content, whole, whole)


def _spelled_out(value: Any, schema: Schema, whole: Schema) -> Any:
    if isinstance(value, list):
        items = _inside(schema, 0, whole) or {}
        return [_spelled_out(each, items, whole) for each in value]
    if not isinstance(value, dict):
        return value
    fields = schema.get("properties", {})
    return {
        key: {}
        if inner is True and is_switch(fields.get(key, {}), whole)
        else _spelled_out(inner, _inside(schema, key, whole) or {}, whole)
        for key, inner in value.items()
    }


def _keys_at(path: FieldPath, model: Model) -> Schema:
    schema = schema_at(path, model) or {}
    names = _resolved(schema.get("propertyNames", {}), _schema_of(model))
    patterns = [*schema.get("patternProperties", ())]
    return {**names, "pattern": patterns[0]} if patterns else names


def allowed_at(path: FieldPath, model: Model = Cluster) -> str:
    return allowed_by(schema_at(path, model) or {})


def allowed_by(schema: Schema) -> str:
    """Say what a message allows: where there is an example, no pattern."""
    return _described(_without(schema, "pattern") if "examples" in schema else schema)


def described_at(path: FieldPath) -> str:
    """Return all that is allowed, with the pattern."""
    return _described(schema_at(path) or {})


def _described(schema: Schema) -> str:
    if "enum" in schema:
        return ", ".join(schema["enum"])
    describe = _DESCRIPTIONS.get(schema.get("type", ""))
    return describe(schema) if describe else "anything"


@cache
def _schema_of(model: Model) -> Schema:
    return model.model_json_schema(by_alias=True)


def _inside(schema: Schema, step: str | int, whole: Schema) -> Schema | None:
    if isinstance(step, int):
        inner = schema.get("items")
    elif "properties" in schema:
        inner = schema["properties"].get(step)
    else:
        inner = schema.get("additionalProperties", _of_any_key(schema))
    return _resolved(inner, whole) if isinstance(inner, Mapping) else None


def _of_any_key(schema: Schema) -> Schema | None:
    """Return what the values are of a mapping whose keys have a pattern."""
    return next(iter(schema.get("patternProperties", {}).values()), None)


def _resolved(schema: Schema, whole: Schema) -> Schema:
    """Follow references within the whole, and drop the alternative that the value is null."""
    for member in schema.get("anyOf", ()):
        if member != {"type": "null"}:
            return _resolved({**member, **_without(schema, "anyOf")}, whole)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return {**_resolved(whole["$defs"][name], whole), **_without(schema, "$ref")}
    # Of a field with one value alone.
    return {**schema, "enum": [schema["const"]]} if "const" in schema else schema


def _without(schema: Schema, key: str) -> Schema:
    return {name: value for name, value in schema.items() if name != key}


def _bounds(schema: Schema) -> Iterator[str]:
    for key, words in (
        ("exclusiveMinimum", "above"),
        ("minimum", "at least"),
        ("maximum", "at most"),
    ):
        if key in schema:
            yield f"{words} {schema[key]:g}" if schema[key] % 1 else f"{words} {int(schema[key])}"


def _number(schema: Schema) -> str:
    kind = "a whole number" if schema["type"] == "integer" else "a number"
    return ", ".join((kind, *_bounds(schema)))


def _string(schema: Schema) -> str:
    if schema.get("format") == "date":
        return "a date as YYYY-MM-DD"
    words = "a string"
    if schema.get("minLength", 0) > 1 or ("minLength" in schema and "examples" not in schema):
        words += f" of at least {counted(schema['minLength'], 'character')}"
    if "examples" in schema:
        words += f" such as {' '.join(schema['examples'][0].split())}"
    if "pattern" in schema:
        words += f", matching {schema['pattern']}"
    return words


def _list(schema: Schema) -> str:
    if "examples" in schema:
        return f"a list such as {_flow(schema['examples'][0])}"
    if "minItems" in schema:
        return f"a list with at least {counted(schema['minItems'], 'item')}"
    return "a list"


def _mapping(schema: Schema) -> str:
    if "examples" in schema:
        return f"a mapping such as {_flow(schema['examples'][0])}"
    if "properties" not in schema:
        minimum = schema.get("minProperties")
        return f"a mapping with at least {counted(minimum, 'entry')}" if minimum else "a mapping"
    if "required" in schema:
        return f"a mapping with {', '.join(schema['required'])}"
    if not schema["properties"]:
        return "{}, or without this line"
    return f"a mapping with any of {', '.join(schema['properties'])}"


def _flow(value: Any) -> str:
    """Write an example on one line of YAML."""
    if isinstance(value, str):
        return value if isinstance(yaml.safe_load(value), str) else json.dumps(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if not isinstance(value, Mapping):
        return str(value)
    return f"{{{', '.join(f'{key}: {_flow(inner)}' for key, inner in value.items())}}}"


_DESCRIPTIONS: Mapping[str, Callable[[Schema], str]] = {
    "array": _list,
    "boolean": lambda _: "true or false",
    "integer": _number,
    "number": _number,
    "object": _mapping,
    "string": _string,
}
