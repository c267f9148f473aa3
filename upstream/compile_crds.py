"""Compiling CustomResourceDefinitions to the schemas that their objects are validated with.

The API server silently prunes fields that a structural schema does not name
(https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning):
here such a field is an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from upstream.lock import UpstreamError
from upstream.schema import (
    BRANCH_KEYWORDS,
    PLAIN_KEYWORDS,
    Schema,
    framed,
    schema_path,
    share_subtrees,
)
from upstream.schema_files import load_metadata

_INT_OR_STRING = ("integer", "string")
_TYPE_NAMES: Schema = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
_OPEN: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
API_VERSION = "apiextensions.k8s.io/v1"
KIND = "CustomResourceDefinition"


def compile_crd_documents(
    documents: Iterable[Mapping[str, Any]], metadata: Schema | None = None
) -> dict[str, Schema]:
    """Return one schema for each served version of each definition, by its relative path.

    Documents of other kinds are skipped. `metadata` is the schema of a named object's
    metadata; without it, the committed one. Raises UpstreamError naming the definition that lacks
    a field or has no structural schema.
    """
    known = load_metadata() if metadata is None else metadata
    return {
        path: schema
        for document in documents
        if document.get("kind") == KIND
        for path, schema in _compile_document(document, known)
    }


def compile_kind(api_version: str, kind: str, body: Mapping[str, Any], metadata: Schema) -> Schema:
    """Return the strict schema of one kind from its OpenAPI schema, with nothing shared yet."""
    own = body.get("properties", {}).get("metadata", {}).get("properties", {}).get("name", {})
    name = {**metadata["properties"]["name"], **strict_schema(own)}
    named = {**metadata, "properties": {**metadata["properties"], "name": name}}
    rest = {key: child for key, child in body.get("properties", {}).items() if key != "status"}
    strict = strict_schema({**body, "type": "object", "properties": rest})
    return framed(api_version, kind, strict, named)


def _compile_document(
    document: Mapping[str, Any], metadata: Schema
) -> Iterator[tuple[str, Schema]]:
    name = (document.get("metadata") or {}).get("name", "without a name")
    if document.get("apiVersion") != API_VERSION:
        raise UpstreamError(
            f"{KIND} {name}: apiVersion is {document.get('apiVersion')}; allowed: {API_VERSION}"
        )
    try:
        spec = document["spec"]
        for version in spec["versions"]:
            if version["served"]:
                body = version["schema"]["openAPIV3Schema"]
                api_version, kind = f"{spec['group']}/{version['name']}", spec["names"]["kind"]
                schema = share_subtrees(compile_kind(api_version, kind, body, metadata))
                yield schema_path(api_version, kind), schema
    except KeyError as error:
        raise UpstreamError(f"{KIND} {name}: the field {error} is missing") from error
    # Users write definitions themselves: any part can be of the wrong type.
    except (AttributeError, TypeError, ValueError) as error:
        raise UpstreamError(f"{KIND} {name}: no structural schema: {error}") from error


def strict_schema(node: Mapping[str, Any]) -> Schema:
    """Return the JSON schema of a structural schema: every object refuses unknown fields.

    Objects that preserve unknown fields, or that define the values of others, stay open. A required
    field that has a default may be left out: the API server fills it in before it validates
    (the section "Defaulting" of the same page).
    """
    strict = _branch(node)
    for key in ("items", "additionalProperties"):
        if key in node:
            strict[key] = strict_schema(node[key]) if isinstance(node[key], Mapping) else node[key]
    properties = {name: strict_schema(child) for name, child in _properties(node).items()}
    if properties:
        strict["properties"] = properties
        strict.setdefault("type", "object")
    is_open = node.get("x-kubernetes-preserve-unknown-fields") or "additionalProperties" in node
    if strict.get("type") == "object" and not is_open:
        strict["additionalProperties"] = False
    if node.get("x-kubernetes-int-or-string"):
        strict = _int_or_string(strict)
    return _nullable(strict) if node.get("nullable") else strict


def _properties(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a node; an embedded resource has those of every resource as well."""
    own = dict(node.get("properties", {}))
    if node.get("x-kubernetes-embedded-resource"):
        return {**_TYPE_NAMES, **own, "metadata": _OPEN}
    return own


def _branch(node: Mapping[str, Any]) -> Schema:
    """Return what a node requires, without closing it: branches of `anyOf` only add constraints."""
    branch: Schema = {key: node[key] for key in PLAIN_KEYWORDS if key in node}
    if required := _required(node):
        branch["required"] = required
    for key in BRANCH_KEYWORDS:
        if key in node:
            branch[key] = [_nested_branch(child) for child in node[key]]
    if "not" in node:
        branch["not"] = _nested_branch(node["not"])
    return branch


def _nested_branch(node: Mapping[str, Any]) -> Schema:
    branch = _branch(node)
    if "properties" in node:
        branch["properties"] = {
            name: _nested_branch(child) for name, child in node["properties"].items()
        }
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), Mapping):
            branch[key] = _nested_branch(node[key])
    return branch


def _required(node: Mapping[str, Any]) -> list[str]:
    properties = node.get("properties", {})
    return [name for name in node.get("required", ()) if "default" not in properties.get(name, {})]


def _int_or_string(strict: Schema) -> Schema:
    """Return a node that accepts both types, and says so once."""
    both = [{"type": name} for name in _INT_OR_STRING]
    rest = {key: value for key, value in strict.items() if (key, value) != ("anyOf", both)}
    return {**rest, "type": list(_INT_OR_STRING)}


def _nullable(strict: Schema) -> Schema:
    types = strict.get("type")
    if types is not None:
        strict["type"] = [*([types] if isinstance(types, str) else types), "null"]
    if "enum" in strict:
        strict["enum"] = [*strict["enum"], None]
    return strict
