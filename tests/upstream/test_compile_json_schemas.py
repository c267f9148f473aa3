from typing import Any

from upstream.compile_json_schemas import compile_json_schema

METADATA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def frame(kind: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": {"type": "string", "enum": ["example.com/v1"]},
        "kind": {"type": "string", "enum": [kind]},
        "metadata": metadata,
    }


def test_a_schema_made_from_a_custom_resource_gets_the_metadata_of_every_object() -> None:
    document = {
        "type": "object",
        "properties": {
            "metadata": {"type": "object"},
            "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
            "status": {"type": "object"},
        },
        "required": ["spec"],
    }
    assert compile_json_schema("example.com/v1", "Widget", document, METADATA) == {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            **frame("Widget", METADATA),
            "spec": {
                "type": "object",
                "properties": {"size": {"type": "integer"}},
                "additionalProperties": False,
            },
        },
        "required": ["apiVersion", "kind", "metadata", "spec"],
        "additionalProperties": False,
    }


def test_a_schema_with_definitions_keeps_its_own_metadata_and_its_variants_stay_open() -> None:
    document = {
        "$ref": "#/definitions/Config",
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {
            "Config": {
                "properties": {
                    "metadata": {"$ref": "#/definitions/Meta"},
                    "identity": {"$ref": "#/definitions/Identity"},
                },
                "preferredOrder": ["metadata"],
                "additionalProperties": False,
            },
            "Meta": {"properties": {"region": {"type": "string"}}, "required": ["region"]},
            "Identity": {
                "properties": {"type": {"enum": ["oidc"]}},
                "oneOf": [{"$ref": "#/definitions/Oidc"}],
            },
            "Oidc": {"properties": {"issuer": {"type": "string"}}, "required": ["issuer"]},
        },
    }
    metadata = {
        "type": "object",
        "properties": {"region": {"type": "string"}},
        "required": ["region"],
        "additionalProperties": False,
    }
    assert compile_json_schema("example.com/v1", "Config", document, METADATA) == {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            **frame("Config", metadata),
            "identity": {
                "type": "object",
                "properties": {"type": {"enum": ["oidc"]}},
                "oneOf": [{"properties": {"issuer": {"type": "string"}}, "required": ["issuer"]}],
                "additionalProperties": True,
            },
        },
        "required": ["apiVersion", "kind", "metadata"],
        "additionalProperties": False,
    }
