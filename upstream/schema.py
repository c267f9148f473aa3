"""JSON schemas: their keywords and paths, the frame of every object, and sharing equal parts."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

_MIN_BYTES = 100
"""A smaller part costs less than its definition and the references to it."""
_DIGEST_DIGITS = 12
Schema = dict[str, Any]
"""A JSON schema of draft 4, the draft that kubeconform reads where none is named and the one that
shares OpenAPI 3.0's Boolean `exclusiveMinimum`."""


DIALECT = "http://json-schema.org/draft-04/schema#"
PLAIN_KEYWORDS = (
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "type",
    "uniqueItems",
)
"""Keywords whose values are not schemas. Keywords in no list of this module are descriptions,
defaults or for the API server (merge keys, CEL rules), and are left out of compiled schemas."""
BRANCH_KEYWORDS = ("allOf", "anyOf", "oneOf")
"""Keywords whose values are lists of schemas."""


def schema_path(api_version: str, kind: str) -> str:
    """Return the path of a kind's schema: `<group>/<kind in lower case>_<version>.json`.

    The core group has no name; as in kubeconform's templates, its version takes that place:
    `v1/pod_v1.json`.
    """
    group, _, version = api_version.rpartition("/")
    return f"{group or version}/{kind.lower()}_{version}.json"


def to_json(schema: Schema) -> bytes:
    """Return the schema as compact JSON with sorted keys and a final newline."""
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return f"{text}\n".encode()


def framed(api_version: str, kind: str, body: Schema, metadata: Schema) -> Schema:
    """Return the schema of one kind: its body, with the three fields that every object must have.

    A repository holds the desired state; `status` is the observed state, so it is refused.
    """
    properties = {
        name: child for name, child in body.get("properties", {}).items() if name != "status"
    }
    required = {name for name in body.get("required", ()) if name != "status"}
    frame = {
        "apiVersion": {"type": "string", "enum": [api_version]},
        "kind": {"type": "string", "enum": [kind]},
        "metadata": metadata,
    }
    return {
        **body,
        "$schema": DIALECT,
        "properties": {**properties, **frame},
        "required": sorted(required | frame.keys()),
    }


def share_subtrees(schema: Schema) -> Schema:
    """Return the same schema with each part that it repeats under `definitions`, named by digest.

    The schema has no references of its own. One custom resource can have ten pod templates:
    sharing shrinks those to a tenth.
    """
    names: dict[int, str] = {}  # identity tells parts apart while all exist
    counts: Counter[str] = Counter()
    definitions: dict[str, Schema] = {}

    def name_of(part: Schema) -> str:
        if id(part) not in names:
            names[id(part)] = hashlib.sha256(to_json(part)).hexdigest()[:_DIGEST_DIGITS]
        return names[id(part)]

    def counted(part: Schema) -> Schema:
        counts[name_of(part)] += 1
        return _map_children(part, counted) if counts[name_of(part)] == 1 else part

    def shared(part: Schema) -> Schema:
        name = name_of(part)
        if counts[name] == 1 or len(to_json(part)) < _MIN_BYTES:
            return _map_children(part, shared)
        if name not in definitions:
            definitions[name] = _map_children(part, shared)
        return {"$ref": f"#/definitions/{name}"}

    _map_children(schema, counted)
    root = _map_children(schema, shared)
    return {**root, "definitions": definitions} if definitions else root


def _map_children(part: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """Return the part with each schema directly below it changed."""

    def changed(key: str, value: Any) -> Any:
        if key == "properties":
            return {name: change(child) for name, child in value.items()}
        if key in BRANCH_KEYWORDS:
            return [change(child) for child in value]
        is_schema = key in ("items", "not", "additionalProperties") and isinstance(value, dict)
        return change(value) if is_schema else value

    return {key: changed(key, value) for key, value in part.items()}
