from typing import Any

from hypothesis import given, strategies as st

from upstream.schema import Schema
from upstream.shared_subtrees import share_subtrees

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
