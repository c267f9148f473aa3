from typing import Any

import pytest

from upstream.compile_core import compile_core_kinds, compile_metadata, load_definitions
from upstream.lock import UpstreamError

META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


def definitions() -> dict[str, Any]:
    """Give definitions as the wheel writes them, cut short."""
    text = {"type": ["string", "null"], "description": "prose"}
    reference = {"$ref": f"#/$defs/{META}", "description": "prose"}

    def kind(name: str, fields: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {
            "type": ["object", "null"],
            "properties": {"apiVersion": text, "kind": text, "metadata": reference, **fields},
            "additionalProperties": False,
            "x-kubernetes-group-version-kind": [{"group": "apps", "kind": name, "version": "v1"}],
            **more,
        }

    return {
        META: {
            "type": ["object", "null"],
            "properties": {
                "name": text,
                "uid": text,
                "creationTimestamp": {"$ref": "#/$defs/Time"},
            },
            "additionalProperties": False,
        },
        "Time": {"type": ["string", "null"], "format": "date-time"},
        "IntOrString": {"oneOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]},
        "Spec": {
            "type": ["object", "null"],
            "properties": {
                "port": {"$ref": "#/$defs/IntOrString"},
                "parts": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Spec"}},
            },
            "required": ["port"],
            "additionalProperties": False,
        },
        "Unused": {"type": ["object", "null"]},
        "Web": kind(
            "Web",
            {"spec": {"$ref": "#/$defs/Spec"}, "status": {"$ref": "#/$defs/Unused"}},
            required=["spec"],
        ),
        "Scale": kind("Scale", {}),
        "WebList": {
            "properties": {"metadata": {"$ref": "#/$defs/ListMeta"}},
            "x-kubernetes-group-version-kind": [
                {"group": "apps", "kind": "WebList", "version": "v1"}
            ],
        },
    }


METADATA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "creationTimestamp": {"type": ["string", "null"], "format": "date-time"},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def test_metadata_has_a_name_and_nothing_that_only_the_server_writes() -> None:
    assert compile_metadata(definitions()) == METADATA


def test_a_kind_carries_the_definitions_that_it_uses_and_lists_and_subresources_are_left_out() -> (
    None
):
    assert compile_core_kinds(definitions()) == {
        "apps/web_v1.json": {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "object",
            "properties": {
                "apiVersion": {"type": "string", "enum": ["apps/v1"]},
                "kind": {"type": "string", "enum": ["Web"]},
                "metadata": METADATA,
                "spec": {"$ref": "#/definitions/Spec"},
            },
            "required": ["apiVersion", "kind", "metadata", "spec"],
            "additionalProperties": False,
            "definitions": {
                "IntOrString": {"type": ["string", "integer"]},
                "Spec": {
                    "type": "object",
                    "properties": {
                        "port": {"$ref": "#/definitions/IntOrString"},
                        "parts": {"type": "array", "items": {"$ref": "#/definitions/Spec"}},
                    },
                    "required": ["port"],
                    "additionalProperties": False,
                },
            },
        }
    }


@pytest.mark.parametrize("kind", ["Binding", "Event", "Eviction", "TokenReview"])
def test_what_is_not_desired_state_has_no_schema(kind: str) -> None:
    given = definitions()
    given["Web"]["x-kubernetes-group-version-kind"][0]["kind"] = kind
    assert compile_core_kinds(given) == {}


kubernetes_validate = pytest.importorskip("kubernetes_validate")


def test_a_minor_that_the_wheel_lacks_is_named() -> None:
    with pytest.raises(
        UpstreamError, match=r"^kubernetes-validate has no schemas for Kubernetes 1\.2: "
    ):
        load_definitions("1.2")
