"""JSON schemas: their type, their structural keywords, and the path of each."""

import json
from typing import Any

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
