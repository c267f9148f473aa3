"""What the nodes of a YAML document hold, read in one walk."""

import math
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

import yaml

from charts_py.cluster_file.yaml_stop import MAX_DEPTH
from charts_py.objects.document import is_object_name, secret_fault
from policies.document import printable

_MAX_SAFE_INTEGER = 2**53
"""Every JSON parser reads integers up to this one exactly:
https://www.rfc-editor.org/rfc/rfc8259#section-6
"""
MAX_VALUES = 1_000_000
"""The most values of a file that are read: by aliases a small one could hold billions."""
MAX_REPEATED = 10_000_000
"""The most characters of a document that aliases repeat: a thousand of a long string could hold
gigabytes."""
_IDENTITY_FORMS: Mapping[str, tuple[Callable[[str], object], str]] = {
    "apiVersion": (
        re.compile(r"([a-z0-9][-a-z0-9.]*/)?[a-z0-9][-a-z0-9]*").fullmatch,
        "VERSION or GROUP/VERSION, such as apps/v1",
    ),
    "kind": (
        re.compile(r"[A-Za-z][-A-Za-z0-9]*").fullmatch,
        "letters, digits and dashes, such as ConfigMap",
    ),
    "metadata.name": (is_object_name, "printable characters without / and %, not . or .."),
    "metadata.namespace": (
        re.compile(r"[a-z0-9][-a-z0-9]*").fullmatch,
        "lower case letters, digits and dashes, such as monitoring",
    ),
}
"""What Kubernetes takes of each field that identifies an object, and that in words."""
_STRING = "tag:yaml.org,2002:str"
_MAPPING = "tag:yaml.org,2002:map"
_SEQUENCE = "tag:yaml.org,2002:seq"


class EndlessError(Exception):
    """Why a document is not read any further."""


class RepeatedKey(NamedTuple):
    """A key that its mapping already has; the last one would win."""

    first: yaml.ScalarNode
    again: yaml.ScalarNode


class ValueBound:
    """How many values of a file are read."""

    def __init__(self, most: int = MAX_VALUES) -> None:
        self._most, self._count = most, 0

    @property
    def is_exceeded(self) -> bool:
        return self._count > self._most

    def add(self, values: int) -> None:
        """Count some; raises EndlessError where they are too many."""
        self._count += values
        if self.is_exceeded:
            raise EndlessError(f"more than {self._most} values")


class ManifestValues:
    """The values of a document. Each alias has values of its own, so that none is shared.

    PyYAML's own construction takes several times as long, and does not report duplicate keys.
    """

    def __init__(self, loader: yaml.CSafeLoader, root: yaml.Node, bound: ValueBound) -> None:
        """Read it; raises EndlessError, and ConstructorError for a value that is not of its tag."""
        bound.add(1)
        self._loader, self._bound = loader, bound
        self._characters = 0
        self._walked: set[yaml.MappingNode] = set()
        self._repeated: set[RepeatedKey] = set()
        self.is_json = True
        """Whether every value is one of JSON."""
        self.content = self._value(root, 0)
        """What the document holds."""
        written = root.end_mark.index - root.start_mark.index
        if self._characters - written > MAX_REPEATED:
            raise EndlessError(f"aliases that repeat more than {MAX_REPEATED} characters")

    @property
    def repeated_keys(self) -> list[RepeatedKey]:
        """Repeated keys of all mappings, in the order of the document."""
        return sorted(self._repeated, key=lambda each: each.again.start_mark.index)

    def _value(self, node: yaml.Node, depth: int) -> Any:
        if node.tag == _STRING and type(node) is yaml.ScalarNode:
            self._characters += len(node.value)
            return node.value
        if node.tag == _MAPPING and type(node) is yaml.MappingNode:
            self._enter(node, depth)
            return self._mapping(node, depth)
        if node.tag == _SEQUENCE and type(node) is yaml.SequenceNode:
            self._enter(node, depth)
            return [self._value(item, depth + 1) for item in node.value]
        return self._constructed(node, depth)

    def _enter(self, node: yaml.CollectionNode, depth: int) -> None:
        if depth >= MAX_DEPTH and node.value:
            raise EndlessError(f"nested deeper than {MAX_DEPTH} levels")
        self._bound.add(len(node.value))

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[Any, Any]:
        if node in self._walked or any(
            key.tag != _STRING or type(key) is not yaml.ScalarNode for key, _ in node.value
        ):
            return self._mapping_of_any_keys(node, depth)
        mapping = {key.value: self._value(value, depth + 1) for key, value in node.value}
        self._characters += sum(map(len, mapping))
        if len(mapping) < len(node.value):
            self._note_repeated_keys(node)
        return mapping

    def _mapping_of_any_keys(self, node: yaml.MappingNode, depth: int) -> dict[Any, Any]:
        """Return a mapping into which others are merged, or that has keys besides strings."""
        if node not in self._walked:
            self._walk(node, depth)
        # It also changes the mappings that are merged in, whose keys were noted on the walk.
        self._loader.flatten_mapping(node)
        return {
            self._key(key, depth + 1): self._value(value, depth + 1) for key, value in node.value
        }

    def _key(self, node: yaml.Node, depth: int) -> Hashable:
        key = self._value(node, depth)
        self.is_json = self.is_json and type(key) is str
        if not isinstance(key, Hashable):
            what = "found unhashable key"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark)
        return key

    def _constructed(self, node: yaml.Node, depth: int) -> Any:
        self._walk(node, depth)
        self._characters += len(node.value)
        value = self._loader.construct_object(node, deep=True)
        self.is_json = self.is_json and json_scalar_fault(value) is None
        return value

    def _walk(self, root: yaml.Node, depth: int) -> None:
        """Count what PyYAML is about to read, since it would read on without end."""
        waiting = [(root, depth)]
        while waiting:
            node, depth = waiting.pop()
            if isinstance(node, yaml.CollectionNode):
                self._enter(node, depth)
                pairs = isinstance(node, yaml.MappingNode)
                children = chain.from_iterable(node.value) if pairs else node.value
                waiting += [(child, depth + 1) for child in children]
            if isinstance(node, yaml.MappingNode) and node not in self._walked:
                self._walked.add(node)
                self._note_repeated_keys(node)

    def _note_repeated_keys(self, node: yaml.MappingNode) -> None:
        first: dict[str, yaml.ScalarNode] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in first:
                    self._repeated.add(RepeatedKey(first[key.value], key))
                first.setdefault(key.value, key)


def faults_of(content: Any) -> Iterator[str]:
    """Yield what is wrong with a YAML document that should be one object."""
    if not isinstance(content, dict):
        yield f"{_shown(content)} is not an object; allowed: a mapping with apiVersion and kind"
        return
    misnamed = list(identity_faults(content))
    yield from misnamed
    yield from (f"{path}: {what}" for path, what in not_json(content, ""))
    # Everything that is rendered is checked again; only here are file and line known.
    if not misnamed and (fault := secret_fault(content)) is not None:
        yield fault


def identity_faults(content: Mapping[str, Any]) -> Iterator[str]:
    found = content.get("metadata")
    metadata = found if isinstance(found, dict) else {}
    identity = {
        "apiVersion": content.get("apiVersion"),
        "kind": content.get("kind"),
        "metadata.name": metadata.get("name"),
    }
    if "namespace" in metadata:
        identity["metadata.namespace"] = metadata["namespace"]
    for path, value in identity.items():
        if not isinstance(value, str) or not value:
            what = "missing" if value in (None, "") else f"{_shown(value)} is not a string"
            yield f"{path}: {what}"
            continue
        has_form, allowed = _IDENTITY_FORMS[path]
        if not has_form(value):
            yield f"{path}: {_shown(value)} has the wrong format; allowed: {allowed}"


def not_json(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield values that YAML allows and the API server cannot accept."""
    if isinstance(value, dict):
        for key, inner in value.items():
            place = f"{path}.{key}".removeprefix(".")
            if not isinstance(key, str):
                yield place, f"key {_shown(key)} is not a string; quote it"
            yield from not_json(inner, place)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from not_json(inner, f"{path}[{position}]")
    elif (what := json_scalar_fault(value)) is not None:
        yield path, what


def json_scalar_fault(value: Any) -> str | None:
    """Return why a value, not a mapping or list, is not one of JSON; None where it is."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a JSON number"
    if isinstance(value, int) and abs(value) > _MAX_SAFE_INTEGER:
        return f"{value} loses digits in JSON; allowed: at most {_MAX_SAFE_INTEGER}"
    if value is not None and not isinstance(value, (str, int, float)):
        return f"{type(value).__name__} is not a JSON type"
    return None


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    return f'"{printable(value)}"' if isinstance(value, str) else str(value).lower()
