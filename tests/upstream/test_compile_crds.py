from typing import Any

import pytest

from upstream.compile_crds import compile_crd_documents
from upstream.error import UpstreamError

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
