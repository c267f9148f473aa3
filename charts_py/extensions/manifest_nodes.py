"""Walking through YAML that may have no end, or be nested so deeply that parsing it crashes."""

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

MAX_DEPTH = 100
"""Levels of nesting that are read; much deeper ones crash PyYAML and with it the process."""
MAX_VALUES = 1_000_000
"""Values of a document that are read; nested anchors could make a small file hold billions."""


class EndlessError(Exception):
    """Why a document is not walked through any further."""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """Where a file is nested too deeply; documents of a file count from 1."""

    line: int
    document: int

    def __str__(self) -> str:
        return f"nested deeper than {MAX_DEPTH} levels"


def too_deep(source: bytes) -> TooDeep | None:
    """Return where a file is nested deeper than `MAX_DEPTH` levels; to be called before parsing.

    Invalid YAML is left for the parser to report.
    """
    depth, document = 0, 0
    try:
        for event in yaml.parse(source, Loader=yaml.CSafeLoader):
            document += isinstance(event, yaml.DocumentStartEvent)
            if isinstance(event, yaml.NodeEvent) and depth > MAX_DEPTH:
                return TooDeep(event.start_mark.line + 1 if event.start_mark else 1, document)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
    except (yaml.YAMLError, UnicodeDecodeError):
        return None
    return None


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
