"""Compiling kinds that upstream publishes as JSON schemas instead of definitions."""

from collections.abc import Mapping
from typing import Any

from upstream.compile_crds import compile_kind
from upstream.object_frame import framed
from upstream.schema import Schema
from upstream.shared_subtrees import share_subtrees
from upstream.strict_schema import strict_schema


def compile_json_schema(
    api_version: str, kind: str, document: Mapping[str, Any], metadata: Schema
) -> Schema:
    """Return the strict schema of the kind that a JSON schema describes.

    A schema with definitions of its own describes the file of a tool, and its metadata as well: in
    eksctl's ClusterConfig, `region` is metadata. One without was made from a custom resource.
    """
    if "definitions" not in document:
        return share_subtrees(compile_kind(api_version, kind, document, metadata))
    body = strict_schema(_inlined(document, document["definitions"]))
    return share_subtrees(framed(api_version, kind, body, body["properties"]["metadata"]))


def _inlined(node: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a node with its local references inlined; none of them is recursive."""
    if isinstance(node, list):
        return [_inlined(child, definitions) for child in node]
    if not isinstance(node, Mapping):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        target = definitions[reference.removeprefix("#/definitions/")]
        return _inlined(target, definitions)
    rest = {key: child for key, child in node.items() if key != "definitions"}
    # The fields of a variant are in its branch, so the object around the branches stays open.
    is_open = {"additionalProperties": True} if "oneOf" in node else {}
    return {**is_open, **{key: _inlined(child, definitions) for key, child in rest.items()}}
