"""Compiling the schemas of Kubernetes' own kinds."""

from collections.abc import Iterator, Mapping

from upstream.core_definitions import OBJECT_META, clean, inlined, used_definitions
from upstream.object_frame import framed
from upstream.schema import Schema, schema_path

WRITTEN_BY_SERVER = frozenset(
    {
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        "managedFields",
        "resourceVersion",
        "selfLink",
        "uid",
    }
)
"""Metadata that only the API server writes; in a repository, it breaks applying."""

_NOT_FOR_REPOSITORIES = frozenset(
    {
        "Binding",
        "ComponentStatus",
        "Event",
        "Eviction",
        "LocalSubjectAccessReview",
        "Scale",
        "SelfSubjectAccessReview",
        "SelfSubjectReview",
        "SelfSubjectRulesReview",
        "StorageVersion",
        "SubjectAccessReview",
        "TokenRequest",
        "TokenReview",
    }
)
"""Kinds with metadata that are requests, subresources or records rather than desired state."""


def compile_metadata(definitions: Mapping[str, Schema]) -> Schema:
    """Return the schema of a named object's metadata, without what only the API server writes."""
    strict = inlined(clean(definitions[OBJECT_META]), definitions)
    properties = {
        name: child for name, child in strict["properties"].items() if name not in WRITTEN_BY_SERVER
    }
    properties["name"] = {**properties["name"], "minLength": 1}
    return {**strict, "properties": properties, "required": ["name"]}


def compile_core_kinds(definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return one schema for each kind that a repository may hold, by its relative path.

    Each carries the definitions that it uses: kubeconform resolves no reference to another file.
    """
    metadata = compile_metadata(definitions)
    compiled = {}
    for api_version, kind, definition in _kinds(definitions):
        body = framed(api_version, kind, clean(definition), metadata)
        if used := used_definitions(body, definitions):
            body["definitions"] = used
        compiled[schema_path(api_version, kind)] = body
    return compiled


def _kinds(definitions: Mapping[str, Schema]) -> Iterator[tuple[str, str, Schema]]:
    for definition in definitions.values():
        metadata = definition.get("properties", {}).get("metadata", {})
        identities = definition.get("x-kubernetes-group-version-kind", ())
        if not str(metadata.get("$ref", "")).endswith(OBJECT_META):
            continue
        for identity in identities:
            if identity["kind"] not in _NOT_FOR_REPOSITORIES:
                prefix = f"{identity['group']}/" if identity["group"] else ""
                yield prefix + identity["version"], identity["kind"], definition
