"""Walking through YAML that may have no end."""

from collections.abc import Iterator

import yaml

from charts_py.spec.yaml_depth import MAX_DEPTH

MAX_VALUES = 1_000_000
"""Values of a document that are read; nested anchors could make a small file hold billions."""


class EndlessError(Exception):
    """Why a document is not walked through any further."""


def values(root: yaml.Node) -> Iterator[yaml.Node]:
    """Yield a node and those below it in their order, aliases followed; raises EndlessError."""
    waiting, count = [(root, 0)], 0
    while waiting:
        node, depth = waiting.pop()
        count += 1
        if depth > MAX_DEPTH:
            raise EndlessError(f"nested deeper than {MAX_DEPTH} levels")
        if count > MAX_VALUES:
            raise EndlessError(f"more than {MAX_VALUES} values")
        yield node
        waiting += [(child, depth + 1) for child in reversed(_children(node))]


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
