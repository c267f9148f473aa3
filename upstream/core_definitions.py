"""Kubernetes' own definitions, from the data of the wheel `kubernetes-validate`.

The wheel holds the definitions of the API server's OpenAPI document, one file per minor, with
`additionalProperties: false` set: https://github.com/willthames/kubernetes-validate
"""

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from upstream.error import UpstreamError
from upstream.schema import PLAIN_KEYWORDS, Schema

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
"""The definition of an object's metadata."""


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


def used_definitions(body: Schema, definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return, cleaned, the definitions that a schema refers to, and those that they refer to."""
    used: dict[str, Schema] = {}
    waiting = [body]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in used:
                used[name] = clean(definitions[name])
                waiting.append(used[name])
    return used


def inlined(node: Any, definitions: Mapping[str, Schema]) -> Any:
    """Return a cleaned node with the definitions that it refers to inlined."""
    if isinstance(node, list):
        return [inlined(child, definitions) for child in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return inlined(clean(definitions[_name(node["$ref"])]), definitions)
    return {key: inlined(child, definitions) for key, child in node.items()}


def _types(node: Mapping[str, Any]) -> list[str]:
    """Return a node's types; only Quantity and IntOrString have a `oneOf`, of plain types."""
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
