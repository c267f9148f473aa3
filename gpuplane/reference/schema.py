"""JSON schemas of the files under `clusters/`, for editors."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.field_schema import is_switch
from gpus.catalog import load_catalog

CLUSTER_SCHEMA_FILE = "cluster.schema.json"
FLEET_SCHEMA_FILE = "fleet.schema.json"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema: TypeAlias = dict[str, Any]


def cluster_schema() -> Schema:
    """Return the schema of a cluster file.

    On its first two levels nothing is required, since any of it may be in `fleet.yaml` instead.
    Deeper down required fields stay: a pool or team that is split across both files is rare, and
    the editor's help is worth more.
    """
    schema = _schema("Cluster file of gpuplane")
    for part in (schema, *_parts(schema)):
        part.pop("required", None)
    return schema


def fleet_schema() -> Schema:
    """Return the schema of `fleet.yaml`: any part of a cluster file, at every level.

    Items of lists stay complete: a list of the cluster file replaces the fleet's.
    """
    schema = _schema("What the clusters of a gpuplane fleet share")
    whole = _item_definitions(schema)
    for name, definition in [("", schema), *schema["$defs"].items()]:
        if name not in whole:
            definition.pop("required", None)
    return schema


@cache
def schema_files() -> Mapping[str, str]:
    schemas = {CLUSTER_SCHEMA_FILE: cluster_schema(), FLEET_SCHEMA_FILE: fleet_schema()}
    texts = {name: json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}
    return MappingProxyType(texts)


def _schema(title: str) -> Schema:
    raw: Schema = _walked(Cluster.model_json_schema(by_alias=True), _readable)
    _complete_hardware(raw)
    _take_true(raw)
    return {"$schema": DIALECT, **raw, "title": title}


def _walked(value: Any, change: Callable[[Schema], Schema]) -> Any:
    """Return a JSON value with every mapping in it changed, the innermost first."""
    if isinstance(value, dict):
        return change({key: _walked(member, change) for key, member in value.items()})
    if isinstance(value, list):
        return [_walked(item, change) for item in value]
    return value


def _readable(schema: Schema) -> Schema:
    """Join the lines of descriptions, and leave out titles that only repeat a field's name."""
    return {
        key: " ".join(value.split()) if key == "description" and isinstance(value, str) else value
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }


def _complete_hardware(schema: Schema) -> None:
    """Let editors complete the names of known hardware.

    Both may also be names that the tables lack and the file, or the fleet's, describes.
    """
    catalog = load_catalog()
    pool: Mapping[str, Schema] = schema["$defs"]["Pool"]["properties"]
    pool["gpu"]["examples"] = list(catalog.models)
    known = (name for types in catalog.instance_types.values() for name in types)
    pool["instanceType"]["examples"] = list(known)


def _take_true(schema: Schema) -> None:
    """Let `true` stand for `{}` in each field of which it does."""
    for part in (schema, *schema["$defs"].values()):
        for field in part.get("properties", {}).values():
            if is_switch(field, schema):
                field["anyOf"].append({"const": True})


def _parts(schema: Schema) -> Iterator[Schema]:
    for field in schema["properties"].values():
        for option in (field, *field.get("anyOf", ())):
            if "$ref" in option:
                yield schema["$defs"][option["$ref"].rpartition("/")[2]]


def _item_definitions(schema: Schema) -> frozenset[str]:
    found: set[str] = set()

    def note(part: Schema) -> Schema:
        items = part.get("items")
        if isinstance(items, dict) and "$ref" in items:
            found.add(items["$ref"].rpartition("/")[2])
        return part

    _walked(schema, note)
    return frozenset(found)
