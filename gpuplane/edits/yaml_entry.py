"""Members of mappings and items of sequences as they stand in the text of a YAML file."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import yaml

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.yaml_reader import CoreSchemaLoader

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
_COLON = re.compile(r"\s*:")
_ALIAS = re.compile(r"\s*(\*[^\s,}\]]+)")
_ALIAS_IN_BRACKETS = re.compile(r"(?:[\s,]|(?<=\s)#.*)*(\*[^\s,}\]]+)")
_KEPT_LINES = re.compile(r"[|>]\d?\+")
"""Begins a text of several lines whose trailing empty lines count."""
_PROPERTIES = ("&", "!")
"""An anchor and a tag begin with these; no value without quotes does."""


@dataclass(frozen=True)
class YamlEntry:
    """A key with its value, or an item of a sequence; places are offsets of characters."""

    text: str
    step: str | int
    """Its name, or its index."""
    key: yaml.Node | None
    """None for an item."""
    value: yaml.Node
    holder: yaml.CollectionNode
    """The mapping or sequence that it is in."""
    above: "YamlEntry | None"
    """The entry whose value the holder is; None at the root."""
    start: int
    """Where the key begins, or the dash of an item; without either, where the value does."""
    value_start: int
    """Where the value begins, or would: an anchor, a tag and an alias are part of it."""
    end: int
    """Where the value ends, without the comments and empty lines that follow it."""

    @property
    def end_of_key(self) -> int:
        """Where the key ends; without one, where the entry begins."""
        return self.start if self.key is None else int(self.key.end_mark.index)

    @property
    def head_end(self) -> int:
        """Where the colon of a key ends, or the dash of an item."""
        if self.key is None:
            return self.start if self.is_flow else self.start + 1
        colon = _COLON.match(self.text, self.end_of_key)
        return colon.end() if colon else self.end_of_key

    @property
    def value_text(self) -> str:
        return self.text[self.value_start : self.end]

    @property
    def is_alias(self) -> bool:
        """Whether the value stands elsewhere, and only its name here."""
        return self.value_text.startswith("*")

    @property
    def has_properties(self) -> bool:
        """Whether an anchor or a tag is part of the value."""
        return self.value_text.startswith(_PROPERTIES)

    @property
    def is_block(self) -> bool:
        return not self.is_alias and is_block(self.value)

    @property
    def indent(self) -> int:
        return self.start - self.lines[0]

    @cached_property
    def lines(self) -> tuple[int, int]:
        """Offsets at which its lines begin and end, without the comments above."""
        return self.text.rfind("\n", 0, self.start) + 1, line_end(self.text, self.end)

    @property
    def lines_with_comments(self) -> tuple[int, int]:
        """Offsets at which its lines begin and end, with its comments, which are directly above.

        The comments at the top of the file belong to the file.
        """
        start, end = self.lines
        first, comment = start, f"{' ' * self.indent}#"
        while first and self.text.startswith(comment, self.text.rfind("\n", 0, first - 1) + 1):
            first = self.text.rfind("\n", 0, first - 1) + 1
        return first or start, end

    @property
    def is_flow(self) -> bool:
        """Whether it stands in braces or brackets."""
        return bool(self.holder.flow_style)

    @property
    def margin(self) -> str:
        """What stands before it on its line."""
        return self.text[self.lines[0] : self.start]

    @property
    def begins_its_line(self) -> bool:
        """Whether nothing but spaces stands before it."""
        return not self.margin.strip(" \t")

    def comments(self, start: int, end: int) -> list[str]:
        characters = list(self.text[start:end])
        nodes = () if self.key is None else (self.key,)
        for node in (*nodes, *_scalars(self.value)):
            first, last = int(node.start_mark.index), int(node.end_mark.index)
            for index in range(max(first, start), min(last, end)):
                if characters[index - start] == "#":
                    characters[index - start] = "_"
        found = map(_COMMENT.search, "".join(characters).split("\n"))
        return [comment[0].rstrip() for comment in found if comment]


def root_of(text: str) -> yaml.Node | None:
    return yaml.compose(text, CoreSchemaLoader)


def find_entry(text: str, path: FieldPath) -> YamlEntry | None:
    """Return the entry at a path; None where none is written there, as where `<<` merges it in."""
    found = entries_on(text, root_of(text), path)
    return found[-1] if found and len(found) == len(path) else None


def entries_on(text: str, root: yaml.Node | None, path: FieldPath) -> Sequence[YamlEntry]:
    """Return the entries that a path leads through, as far as they are written."""
    found: list[YamlEntry] = []
    node, entry = root, None
    for step in path:
        there = (one for one in entries(text, node, entry) if one.step == step)
        if (entry := next(there, None)) is None:
            break
        node = entry.value
        found.append(entry)
    return found


def entries(
    text: str, node: yaml.Node | None, above: YamlEntry | None = None
) -> Iterator[YamlEntry]:
    """Yield the entries of a mapping or sequence; none of any other value."""
    if isinstance(node, yaml.MappingNode):
        yield from _members(text, node, above)
    elif isinstance(node, yaml.SequenceNode):
        yield from _items(text, node, above)


def shared_nodes(root: yaml.Node) -> frozenset[int]:
    counts, waiting = Counter[int](), [root]
    while waiting:
        node = waiting.pop()
        counts[id(node)] += 1
        if counts[id(node)] == 1 and isinstance(node, yaml.CollectionNode):
            pairs = (one if isinstance(one, tuple) else (one,) for one in node.value)
            waiting += (inner for pair in pairs for inner in pair)
    return frozenset(one for one, count in counts.items() if count > 1)


def line_end(text: str, index: int) -> int:
    return text.find("\n", index) + 1 or len(text)


def is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and bool(node.value) and not node.flow_style


def _members(text: str, node: yaml.MappingNode, above: YamlEntry | None) -> Iterator[YamlEntry]:
    for key, value in node.value:
        place = _member_value(text, key, value)
        start = int(key.start_mark.index)
        yield YamlEntry(text, key.value, key, value, node, above, start, *place)


def _member_value(text: str, key: yaml.Node, value: yaml.Node) -> tuple[int, int]:
    """Return where the value of a member begins and ends."""
    if value.start_mark.index > key.start_mark.index:
        return int(value.start_mark.index), _end(text, value)
    head_end = int(key.end_mark.index)
    if colon := _COLON.match(text, head_end):
        head_end = colon.end()
    alias = _ALIAS.match(text, head_end)
    return alias.span(1) if alias else (head_end, head_end)


def _items(text: str, node: yaml.SequenceNode, above: YamlEntry | None) -> Iterator[YamlEntry]:
    place, dash = int(node.start_mark.index), None
    for index, value in enumerate(node.value):
        if not node.flow_style:
            place = start = _dash(text, place, dash)
            dash = place - (text.rfind("\n", 0, place) + 1)
        value_start, place = _item_value(text, place + (not index or not node.flow_style), value)
        start = value_start if node.flow_style else start
        yield YamlEntry(text, index, None, value, node, above, start, value_start, place)


def _dash(text: str, place: int, indent: int | None) -> int:
    """Return the offset of the next dash of a sequence; its first one is at `place`."""
    if indent is None and text.startswith("-", place):
        return place
    spaces = "*" if indent is None else f"{{{indent}}}"
    found = re.compile(rf"\n {spaces}-(?=\s|$)").search(text, place)
    if found is None:
        raise ValueError(f"no item of a sequence begins behind {place}")
    return found.end() - 1


def _item_value(text: str, place: int, value: yaml.Node) -> tuple[int, int]:
    """Return where the value of an item begins and ends, which stands behind `place`."""
    if value.start_mark.index >= place:
        return int(value.start_mark.index), _end(text, value)
    alias = _ALIAS_IN_BRACKETS.match(text, place)
    return alias.span(1) if alias else (place, place)


def _end(text: str, node: yaml.Node) -> int:
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    if isinstance(node, yaml.MappingNode) and is_block(node):
        # A block ends where the next token begins.
        return _member_value(text, *node.value[-1])[1]
    if is_block(node):
        *_, last = entries(text, node)
        return last.end
    if _KEPT_LINES.match(text, start):
        return end - text[start:end].endswith("\n")
    return start + len(text[start:end].rstrip())


def _scalars(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    else:
        for each in node.value:
            for inner in each if isinstance(each, tuple) else (each,):
                yield from _scalars(inner)
