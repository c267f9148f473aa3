"""Compiling the schemas of Kubernetes' own kinds, from the data of the wheel `kubernetes-validate`.

The wheel holds the definitions of the API server's OpenAPI document, one file per minor, with
`additionalProperties: false` set: https://github.com/willthames/kubernetes-validate
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from upstream.lock import UpstreamError
from upstream.schema import PLAIN_KEYWORDS, Schema, framed, schema_path
from upstream.schema_files import committed_schemas, core_folder

_OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
"""The definition of an object's metadata."""
_UNREAD = "managedFields"
"""Admission sees no field managers in a pod."""
WRITTEN_BY_SERVER = frozenset(
    {
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        _UNREAD,
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
    strict = inlined(clean(definitions[_OBJECT_META]), definitions)
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
        if used := _used_definitions(body, definitions):
            body["definitions"] = used
        compiled[schema_path(api_version, kind)] = body
    return compiled


def _kinds(definitions: Mapping[str, Schema]) -> Iterator[tuple[str, str, Schema]]:
    for definition in definitions.values():
        metadata = definition.get("properties", {}).get("metadata", {})
        identities = definition.get("x-kubernetes-group-version-kind", ())
        if not str(metadata.get("$ref", "")).endswith(_OBJECT_META):
            continue
        for identity in identities:
            if identity["kind"] not in _NOT_FOR_REPOSITORIES:
                prefix = f"{identity['group']}/" if identity["group"] else ""
                yield prefix + identity["version"], identity["kind"], definition


def load_definitions(minor: str) -> dict[str, Schema]:
    """Return the definitions of a minor; raise UpstreamError without the wheel or the minor."""
    try:
        root = files("kubernetes_validate")
    except ModuleNotFoundError as error:
        raise UpstreamError(
            "compiling core kinds needs the wheel kubernetes-validate (dependency group dev)"
        ) from error
    file = root / "kubernetes-json-schema" / f"v{minor}.0-local-strict" / "_definitions.json"
    if not file.is_file():
        raise UpstreamError(f"kubernetes-validate has no schemas for Kubernetes {minor}: {file}")
    definitions: dict[str, Schema] = json.loads(file.read_bytes())["$defs"]
    return definitions


def clean(node: Mapping[str, Any]) -> Schema:
    """Return a definition without descriptions and without null.

    The API server reads null as absent, but in a manifest it is more often a mistake than intended:
    `emptyDir:` is not a volume. Times keep null: Kubernetes' own generators write
    `creationTimestamp: null`.
    """
    if "$ref" in node:
        return {"$ref": f"#/definitions/{_name(node['$ref'])}"}
    cleaned: Schema = {key: node[key] for key in PLAIN_KEYWORDS if key in node}
    if types := _types(node):
        cleaned["type"] = types[0] if len(types) == 1 else types
    if node.get("required"):
        cleaned["required"] = node["required"]
    if "properties" in node:
        cleaned["properties"] = {name: clean(child) for name, child in node["properties"].items()}
    for key in ("items", "additionalProperties"):
        if key in node:
            cleaned[key] = clean(node[key]) if isinstance(node[key], dict) else node[key]
    return cleaned


def inlined(node: Any, definitions: Mapping[str, Schema]) -> Any:
    """Return a cleaned node with the definitions that it refers to inlined."""
    if isinstance(node, list):
        return [inlined(child, definitions) for child in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return inlined(clean(definitions[_name(node["$ref"])]), definitions)
    return {key: inlined(child, definitions) for key, child in node.items()}


def _used_definitions(body: Schema, definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return, cleaned, the definitions that a schema refers to, and those that they refer to."""
    used: dict[str, Schema] = {}
    waiting = [body]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in used:
                used[name] = clean(definitions[name])
                waiting.append(used[name])
    return used


@cache
def load_pod_schema(minor: str) -> Schema:
    """Return the schema of a pod in a minor version, such as `1.35`; its status is any object."""
    file = committed_schemas() / core_folder(minor) / schema_path("v1", "Pod")
    schema: Schema = json.loads(file.read_bytes())
    properties = schema["properties"]
    metadata = properties["metadata"]
    fields = {**metadata["properties"], **{name: {} for name in WRITTEN_BY_SERVER - {_UNREAD}}}
    stated = {**properties, "metadata": {**metadata, "properties": fields}, "status": {}}
    return {**schema, "properties": stated}


def _types(node: Mapping[str, Any]) -> list[str]:
    if "oneOf" in node:
        return [name for child in node["oneOf"] for name in _types(child)]
    kept = ("null",) if node.get("format") == "date-time" else ()
    types = node.get("type", [])
    names = [types] if isinstance(types, str) else types
    return [name for name in names if name != "null" or name in kept]


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for child in node:
            yield from _references(child)
    elif isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield _name(node["$ref"])
        for child in node.values():
            yield from _references(child)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]
