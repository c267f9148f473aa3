"""How a YAML file is set in and quoted."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from gpuplane.edits.yaml_entry import is_block

_STEP = 2
"""How far a mapping is set in within what holds it, in a file that has none yet."""
_OFFSET = 0
"""How far a sequence is set in within the mapping that holds it, where there is none yet."""
_QUOTE = '"'
_QUOTES = ("'", '"')


@dataclass(frozen=True, slots=True)
class BlockStyle:
    """What most of a file is written in."""

    step: int
    """How far a mapping is set in within the one that holds it."""
    offset: int
    """How far a sequence is; 0 where its dashes stand below the key."""
    quote: str
    """Of strings on one line."""


def style_of(root: yaml.Node | None) -> BlockStyle:
    """Return how a document is written, from its node."""
    steps, offsets, quotes = Counter[int](), Counter[int](), Counter[str]()
    for key, node in _nodes(root):
        if isinstance(node, yaml.ScalarNode):
            quotes[node.style] += 1
        elif key is not None and is_block(node):
            inner = node.start_mark.column - key.start_mark.column
            (offsets if isinstance(node, yaml.SequenceNode) else steps)[inner] += 1
    return BlockStyle(
        step=next((step for step, _ in steps.most_common() if step > 0), _STEP),
        offset=next((offset for offset, _ in offsets.most_common() if offset >= 0), _OFFSET),
        quote=max(_QUOTES, key=lambda quote: (quotes[quote], quote == _QUOTE)),
    )


def _nodes(root: yaml.Node | None) -> Iterator[tuple[yaml.Node | None, yaml.Node]]:
    """Yield each node of a document once, with its key where it is the value of one."""
    waiting = [] if root is None else [(None, root)]
    seen = set()
    while waiting:
        key, node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield key, node
        if isinstance(node, yaml.MappingNode):
            waiting += reversed(node.value)
        elif isinstance(node, yaml.SequenceNode):
            waiting += [(None, item) for item in reversed(node.value)]
