"""From the OpenAPI schema of a custom resource to a JSON schema that refuses what would be pruned.

The API server silently prunes fields that a structural schema does not name
(https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning):
here such a field is an error.
"""

from collections.abc import Mapping
from typing import Any

from upstream.schema import BRANCH_KEYWORDS, PLAIN_KEYWORDS, Schema

_INT_OR_STRING = ("integer", "string")

_TYPE_NAMES: Schema = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
_OPEN: Schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


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
    if _is_closed(node, strict):
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


def _is_closed(node: Mapping[str, Any], strict: Schema) -> bool:
    return (
        strict.get("type") == "object"
        and "additionalProperties" not in node
        and not node.get("x-kubernetes-preserve-unknown-fields")
    )


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
