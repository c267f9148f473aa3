"""What the nodes of a YAML document hold, read in one walk."""

from collections.abc import Hashable
from typing import Any

import yaml

from charts_py.extensions.manifest_faults import json_scalar_fault
from charts_py.spec.yaml_depth import MAX_DEPTH

MAX_VALUES = 1_000_000
"""Values of a document that are read; nested anchors could make a small file hold billions."""

_STRING = "tag:yaml.org,2002:str"
_MAPPING = "tag:yaml.org,2002:map"
_SEQUENCE = "tag:yaml.org,2002:seq"


class EndlessError(Exception):
    """Why a document is not read any further."""


class ManifestValues:
    """The values of a document, of which none is shared: each alias has its own.

    PyYAML's own construction takes several times as long, and says nothing of duplicate keys.
    """

    def __init__(self, loader: yaml.CSafeLoader, root: yaml.Node) -> None:
        """Read it; raises EndlessError, and ConstructorError for what a tag does not allow."""
        self._loader, self._count = loader, 1
        self._merged: set[yaml.MappingNode] = set()
        self.repeating: dict[yaml.MappingNode, None] = {}
        """The mappings in which a key stands more than once, of which the last would win."""
        self.is_json = True
        """Whether JSON has every value."""
        self.content = self._value(root, 0)
        """What the document holds."""

    def _value(self, node: yaml.Node, depth: int) -> Any:
        if node.tag == _STRING and type(node) is yaml.ScalarNode:
            return node.value
        if node.tag == _MAPPING and type(node) is yaml.MappingNode:
            self._enter(node, depth)
            return self._mapping(node, depth + 1)
        if node.tag == _SEQUENCE and type(node) is yaml.SequenceNode:
            self._enter(node, depth)
            return [self._value(item, depth + 1) for item in node.value]
        return self._constructed(node, depth)

    def _enter(self, node: yaml.CollectionNode, depth: int) -> None:
        self._count += len(node.value)
        if depth >= MAX_DEPTH and node.value:
            raise EndlessError(f"nested deeper than {MAX_DEPTH} levels")
        if self._count > MAX_VALUES:
            raise EndlessError(f"more than {MAX_VALUES} values")

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[Any, Any]:
        if node in self._merged or any(key.tag != _STRING for key, _ in node.value):
            return self._mapping_of_any_keys(node, depth)
        mapping = {key.value: self._value(value, depth) for key, value in node.value}
        if len(mapping) < len(node.value):
            self.repeating[node] = None
        return mapping

    def _mapping_of_any_keys(self, node: yaml.MappingNode, depth: int) -> dict[Any, Any]:
        """Return a mapping into which others are merged, or that has keys besides strings."""
        if node not in self._merged:
            self._merge(node, depth)
        return {self._key(key): self._value(value, depth) for key, value in node.value}

    def _merge(self, node: yaml.MappingNode, depth: int) -> None:
        written = [key.value for key, _ in node.value if type(key) is yaml.ScalarNode]
        if len({*written}) < len(written):
            self.repeating[node] = None
        self._walk(node, depth)
        self._loader.flatten_mapping(node)
        self._merged.add(node)

    def _key(self, node: yaml.Node) -> Hashable:
        key = self._constructed(node, 0)
        self.is_json = self.is_json and type(key) is str
        if not isinstance(key, Hashable):
            what = "found unhashable key"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark)
        return key

    def _constructed(self, node: yaml.Node, depth: int) -> Any:
        """Return what PyYAML makes of a node."""
        self._walk(node, depth)
        value = self._loader.construct_object(node, deep=True)
        self.is_json = self.is_json and json_scalar_fault(value) is None
        return value

    def _walk(self, root: yaml.Node, depth: int) -> None:
        """Count what PyYAML is about to read, which does not ask whether it has an end."""
        waiting = [(root, depth)]
        while waiting:
            node, depth = waiting.pop()
            if isinstance(node, yaml.CollectionNode):
                self._enter(node, depth)
                waiting += [(child, depth + 1) for child in _children(node)]


def _children(node: yaml.CollectionNode) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [each for pair in node.value for each in pair]
    return list(node.value)
