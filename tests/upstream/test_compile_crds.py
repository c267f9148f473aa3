from typing import Any

import pytest

from upstream.compile_crds import compile_crd_documents, strict_schema
from upstream.lock import UpstreamError

METADATA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}


def definition(**changes: Any) -> dict[str, Any]:
    spec = {
        "group": "example.com",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "description": "A widget.",
                        "type": "object",
                        "required": ["spec"],
                        "properties": {
                            "apiVersion": {"type": "string"},
                            "kind": {"type": "string"},
                            "metadata": {
                                "type": "object",
                                "properties": {"name": {"type": "string", "maxLength": 20}},
                            },
                            "spec": {"type": "object", "properties": {"size": {"type": "integer"}}},
                            "status": {"type": "object"},
                        },
                    }
                },
            },
            {"name": "v1alpha1", "served": False, "storage": False},
        ],
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {**spec, **changes},
    }


def test_each_served_version_gets_a_schema_of_its_kind() -> None:
    assert compile_crd_documents([definition(), {"kind": "ConfigMap"}], METADATA) == {
        "example.com/widget_v1.json": {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "required": ["apiVersion", "kind", "metadata", "spec"],
            "properties": {
                "apiVersion": {"type": "string", "enum": ["example.com/v1"]},
                "kind": {"type": "string", "enum": ["Widget"]},
                "metadata": {
                    "type": "object",
                    "properties": {"name": {"type": "string", "maxLength": 20}},
                    "required": ["name"],
                    "additionalProperties": False,
                },
                "spec": {
                    "type": "object",
                    "properties": {"size": {"type": "integer"}},
                    "additionalProperties": False,
                },
            },
            "additionalProperties": False,
        }
    }


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param(
            {**definition(), "apiVersion": "apiextensions.k8s.io/v1beta1"},
            "apiVersion is apiextensions.k8s.io/v1beta1; allowed: apiextensions.k8s.io/v1",
            id="old API version",
        ),
        pytest.param(
            definition(versions=[{"name": "v1", "served": True}]),
            "the field 'schema' is missing",
            id="no schema",
        ),
        pytest.param(
            definition(
                versions=[{"name": "v1", "served": True, "schema": {"openAPIV3Schema": None}}]
            ),
            "no structural schema: 'NoneType' object has no attribute 'get'",
            id="empty schema",
        ),
    ],
)
def test_a_definition_that_cannot_be_compiled_is_named(
    document: dict[str, Any], message: str
) -> None:
    with pytest.raises(UpstreamError) as caught:
        compile_crd_documents([document], METADATA)
    assert str(caught.value) == f"CustomResourceDefinition widgets.example.com: {message}"


@pytest.mark.parametrize(
    ("node", "strict"),
    [
        pytest.param(
            {
                "type": "object",
                "description": "prose",
                "properties": {"name": {"type": "string", "maxLength": 63, "title": "prose"}},
                "required": ["name"],
                "x-kubernetes-validations": [{"rule": "true"}],
            },
            {
                "type": "object",
                "properties": {"name": {"type": "string", "maxLength": 63}},
                "required": ["name"],
                "additionalProperties": False,
            },
            id="an object refuses unknown fields and loses its description",
        ),
        pytest.param(
            {"type": "object"},
            {"type": "object", "additionalProperties": False},
            id="an object that names no field keeps none: the API server would prune them",
        ),
        pytest.param(
            {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            {"type": "object"},
            id="preserved unknown fields stay allowed",
        ),
        pytest.param(
            {"x-kubernetes-preserve-unknown-fields": True},
            {},
            id="a value without a type is anything",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": {"type": "object"}},
            {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": False},
            },
            id="a map says what its values are",
        ),
        pytest.param(
            {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1},
            {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1},
            id="a list keeps its bounds and its items",
        ),
        pytest.param(
            {
                "anyOf": [{"type": "integer"}, {"type": "string"}],
                "pattern": "^[0-9]+%?$",
                "x-kubernetes-int-or-string": True,
            },
            {"type": ["integer", "string"], "pattern": "^[0-9]+%?$"},
            id="int-or-string takes both types",
        ),
        pytest.param(
            {"x-kubernetes-int-or-string": True, "nullable": True},
            {"type": ["integer", "string", "null"]},
            id="a nullable int-or-string takes null as well",
        ),
        pytest.param(
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
            id="a nullable enum takes null as well",
        ),
        pytest.param(
            {
                "type": "object",
                "properties": {
                    "port": {"type": "integer"},
                    "protocol": {"type": "string", "default": "TCP"},
                },
                "required": ["port", "protocol"],
            },
            {
                "type": "object",
                "properties": {"port": {"type": "integer"}, "protocol": {"type": "string"}},
                "required": ["port"],
                "additionalProperties": False,
            },
            id="a required field with a default may be left out",
        ),
        pytest.param(
            {
                "type": "object",
                "properties": {"name": {"type": "string"}, "external": {"type": "string"}},
                "oneOf": [
                    {"required": ["name"], "not": {"required": ["external"]}},
                    {
                        "properties": {"external": {"minLength": 1}},
                        "required": ["external"],
                        "additionalProperties": False,
                    },
                ],
            },
            {
                "type": "object",
                "properties": {"name": {"type": "string"}, "external": {"type": "string"}},
                "oneOf": [
                    {"required": ["name"], "not": {"required": ["external"]}},
                    {"properties": {"external": {"minLength": 1}}, "required": ["external"]},
                ],
                "additionalProperties": False,
            },
            id="branches demand, and close nothing",
        ),
        pytest.param(
            {
                "type": "object",
                "x-kubernetes-embedded-resource": True,
                "properties": {"spec": {"type": "string"}},
            },
            {
                "type": "object",
                "properties": {
                    "apiVersion": {"type": "string"},
                    "kind": {"type": "string"},
                    "metadata": {"type": "object"},
                    "spec": {"type": "string"},
                },
                "additionalProperties": False,
            },
            id="an embedded resource has what every resource has, with metadata left open",
        ),
        pytest.param(
            {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "format": "int64"},
            {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "format": "int64"},
            id="bounds and formats are kept",
        ),
    ],
)
def test_a_structural_schema_becomes_strict(node: dict[str, Any], strict: dict[str, Any]) -> None:
    assert strict_schema(node) == strict
