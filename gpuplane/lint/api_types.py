"""Objects of Kubernetes' own kinds, part by part, with the types that its API gives them."""

import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from policies.document import Document, Json, elements, escaped, members, text
from upstream.compile_core import WRITTEN_BY_SERVER
from upstream.kubernetes_version import KubernetesVersion
from upstream.schema import Schema
from upstream.schema_files import committed_schemas, core_folder

_CONTAINER = "io.k8s.api.core.v1.Container"
_JSON_TYPES: Mapping[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
}
_NEWEST = core_folder([*KubernetesVersion][-1])
"""A field that an older version lacks may be meant for a newer cluster."""


class TypedObject(NamedTuple):
    """An object, or a part of one."""

    pointer: str
    """JSON Pointer from the whole object."""
    type: str
    """The name of its type, such as `PodSpec`; empty for the whole object."""
    fields: Mapping[str, Json]
    schema: Schema
    types: Mapping[str, Schema] = {}
    """By the names in references."""

    def part(self, field: str, index: int | None = None) -> "TypedObject":
        """Return an object in one of its fields, or in a list there; empty where it has none."""
        stated, value = self.schema["properties"][field], self.fields.get(field)
        pointer = f"{self.pointer}/{field}"
        if index is not None:
            stated, value = stated["items"], elements(value)[index]
            pointer = f"{pointer}/{index}"
        return _typed(members(value), pointer, stated, self.types)

    def takes(self, field: str, value: Json) -> bool:
        stated = self.schema.get("properties", {}).get(field, {})
        wanted = _resolved(stated, self.types)[1].get("type", ())
        allowed = [wanted] if type(wanted) is str else wanted
        is_open = value is None or not allowed
        return field in self.known and (is_open or _JSON_TYPES.get(type(value)) in allowed)

    @property
    def known(self) -> frozenset[str]:
        """The fields that its type has; none where it may have any."""
        return frozenset(self.schema.get("properties", ()))

    @property
    def unknown(self) -> list[str]:
        """The fields that its type does not have; those of patches begin with a dollar."""
        known = {*self.known, *self._of_server}
        return [name for name in self.fields if self.known and name not in known and name[0] != "$"]

    @property
    def _of_server(self) -> Collection[str]:
        """The fields that the API server alone writes, which compiled schemas leave out."""
        if self.pointer.endswith("/metadata"):
            return WRITTEN_BY_SERVER
        return () if self.pointer else ("status",)


def _resolved(stated: Schema, types: Mapping[str, Schema]) -> tuple[str, Schema]:
    """Return a schema behind its reference, with the name of its type."""
    name = stated.get("$ref", "").rpartition("/")[2]
    return name.rpartition(".")[2], types[name] if name else stated


def _typed(
    fields: Mapping[str, Json], pointer: str, stated: Schema, types: Mapping[str, Schema]
) -> TypedObject:
    name, schema = _resolved(stated, types)
    return TypedObject(pointer, name, fields, schema, types)


def typed_objects(document: Document) -> Iterator[TypedObject]:
    """Yield an object and all below; nothing of kinds that are not of Kubernetes itself."""
    schema = _schema(text(document.get("apiVersion")), text(document.get("kind")))
    if schema is not None:
        yield from _below(document, "", schema, schema["definitions"])


def is_of_patch(container: Json) -> bool:
    """Whether a container states no image, nor a field that may be one with a typo."""
    fields, pod = members(container), _schema("v1", "Pod")
    schema = pod["definitions"][_CONTAINER] if pod else {}
    return "image" not in fields and not TypedObject("", "Container", fields, schema).unknown


@cache
def _schema(api_version: str, kind: str) -> Schema | None:
    group, _, version = api_version.rpartition("/")
    folder = committed_schemas() / _NEWEST / (group or version)
    file = folder / f"{kind.lower()}_{version}.json"
    return json.loads(file.read_bytes()) if file.is_file() else None


def _below(
    value: Json, pointer: str, stated: Schema, types: Mapping[str, Schema]
) -> Iterator[TypedObject]:
    _, schema = _resolved(stated, types)
    if type(value) is list and "items" in schema:
        for index, each in enumerate(value):
            yield from _below(each, f"{pointer}/{index}", schema["items"], types)
    elif type(value) is dict:
        known = schema.get("properties", {})
        yield _typed(value, pointer, stated, types)
        others = schema.get("additionalProperties") or {}
        for field, each in value.items():
            if type(each) is dict or type(each) is list:
                below = known.get(field, others)
                yield from _below(each, f"{pointer}/{escaped(field)}", below, types)
