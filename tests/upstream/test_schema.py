from typing import Any

import pytest
from hypothesis import given, strategies as st

from upstream.schema import Schema, framed, schema_path, share_subtrees, to_json
from upstream.schema_files import load_metadata


@pytest.mark.parametrize(
    ("api_version", "kind", "path"),
    [
        ("v1", "ConfigMap", "v1/configmap_v1.json"),
        ("apps/v1", "Deployment", "apps/deployment_v1.json"),
        ("nvidia.com/v1alpha1", "NVIDIADriver", "nvidia.com/nvidiadriver_v1alpha1.json"),
    ],
)
def test_a_schema_stands_under_its_group_by_kind_and_version(
    api_version: str, kind: str, path: str
) -> None:
    assert schema_path(api_version, kind) == path


def test_json_is_compact_sorted_and_ends_in_a_newline() -> None:
    assert (
        to_json({"type": "object", "enum": ["ä", 1]})
        == '{"enum":["ä",1],"type":"object"}\n'.encode()
    )


def test_a_kind_requires_its_frame_and_refuses_status() -> None:
    body = {
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "spec": {"type": "object"},
            "status": {"type": "object"},
        },
        "required": ["spec", "status"],
        "additionalProperties": False,
    }
    assert framed("example.com/v1", "Widget", body, {"type": "object"}) == {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string", "enum": ["example.com/v1"]},
            "kind": {"type": "string", "enum": ["Widget"]},
            "metadata": {"type": "object"},
            "spec": {"type": "object"},
        },
        "required": ["apiVersion", "kind", "metadata", "spec"],
        "additionalProperties": False,
    }


def test_a_kind_that_names_no_field_has_its_frame() -> None:
    schema = framed("example.com/v1", "Widget", {"type": "object"}, {"type": "object"})
    assert sorted(schema["properties"]) == ["apiVersion", "kind", "metadata"]


def test_metadata_requires_a_name_and_refuses_what_the_server_writes() -> None:
    metadata = load_metadata()
    assert (metadata["required"], metadata["additionalProperties"]) == (["name"], False)
    assert sorted(metadata["properties"]) == [
        "annotations",
        "creationTimestamp",
        "finalizers",
        "generateName",
        "labels",
        "name",
        "namespace",
        "ownerReferences",
    ]


LONG = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
PART: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string", "pattern": LONG}},
    "additionalProperties": False,
}
leaves = st.sampled_from(
    [{}, {"type": "integer"}, {"type": "string", "pattern": LONG * 2}, PART]
).map(dict)
schemas = st.recursive(
    leaves,
    lambda children: st.one_of(
        st.dictionaries(st.sampled_from(["a", "items", "$ref", "not"]), children).map(
            lambda properties: {"type": "object", "properties": properties}
        ),
        children.map(lambda child: {"type": "array", "items": child}),
        children.map(lambda child: {"type": "object", "additionalProperties": child}),
        st.lists(children, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches}),
        children.map(lambda child: {"not": child}),
    ),
    max_leaves=20,
)


def test_a_repeated_part_stands_once_under_its_digest() -> None:
    shared = share_subtrees({"type": "object", "properties": {"a": PART, "b": PART}})
    reference = {"$ref": "#/definitions/af0f8a19bf82"}
    assert shared == {
        "type": "object",
        "properties": {"a": reference, "b": reference},
        "definitions": {"af0f8a19bf82": PART},
    }


def test_a_small_or_single_part_stays_in_place() -> None:
    schema = {"properties": {"a": PART, "b": {"type": "integer"}, "c": {"type": "integer"}}}
    assert share_subtrees(schema) == schema


@given(schemas)
def test_sharing_keeps_what_a_schema_says(schema: Schema) -> None:
    shared = share_subtrees(schema)
    definitions = shared.pop("definitions", {})
    assert _written_out(shared, definitions) == schema


def _written_out(node: Any, definitions: dict[str, Schema]) -> Any:
    if isinstance(node, list):
        return [_written_out(child, definitions) for child in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        return _written_out(definitions[reference.removeprefix("#/definitions/")], definitions)
    return {key: _written_out(child, definitions) for key, child in node.items()}
