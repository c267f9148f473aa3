"""Compiling CustomResourceDefinitions to the schemas that their objects are validated with."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from upstream.error import UpstreamError
from upstream.object_frame import framed, load_metadata
from upstream.schema import Schema, schema_path
from upstream.shared_subtrees import share_subtrees
from upstream.strict_schema import strict_schema

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
        for api_version, kind, body in _served_versions(document["spec"]):
            schema = share_subtrees(compile_kind(api_version, kind, body, metadata))
            yield schema_path(api_version, kind), schema
    except KeyError as error:
        raise UpstreamError(f"{KIND} {name}: the field {error} is missing") from error
    # Users write definitions themselves: any part can be of the wrong type.
    except (AttributeError, TypeError, ValueError) as error:
        raise UpstreamError(f"{KIND} {name}: no structural schema: {error}") from error


def _served_versions(spec: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for version in spec["versions"]:
        if version["served"]:
            body = version["schema"]["openAPIV3Schema"]
            yield f"{spec['group']}/{version['name']}", spec["names"]["kind"], body
