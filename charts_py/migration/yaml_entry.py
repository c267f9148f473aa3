"""Entries of mappings as they stand in the text of a YAML file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from charts_py.spec.core_schema import CoreSchemaLoader
from charts_py.spec.fault import FieldPath

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
_ALIAS = re.compile(r"\s*:\s*\*[^\s,}\]]+")


@dataclass(frozen=True, slots=True)
class YamlEntry:
    """A key with its value, and the mapping that holds both; places are offsets of characters."""

    text: str
    key: yaml.ScalarNode
    value: yaml.Node
    holder: yaml.MappingNode
    above: "YamlEntry | None"
    """The entry whose value the mapping is; None at the root."""

    @property
    def start(self) -> int:
        """Where the key begins."""
        return int(self.key.start_mark.index)

    @property
    def end_of_key(self) -> int:
        """Where the key ends."""
        return int(self.key.end_mark.index)

    @property
    def end(self) -> int:
        """Where the value ends, without the comments and empty lines that follow it."""
        if self.value.start_mark.index > self.start:
            return _end(self.text, self.value)
        alias = _ALIAS.match(self.text, self.end_of_key)
        return alias.end() if alias else self.end_of_key

    @property
    def indent(self) -> int:
        """How far its key is from the margin."""
        return self.start - self.lines[0]

    @property
    def lines(self) -> tuple[int, int]:
        """Where its lines begin and end, without comments above."""
        return self.text.rfind("\n", 0, self.start) + 1, _line_end(self.text, self.end)

    @property
    def lines_with_comments(self) -> tuple[int, int]:
        """Where its lines begin and end, with the comments directly above, which are its own.

        Those that the file begins with are of the file.
        """
        start, end = self.lines
        first, comment = start, f"{' ' * self.indent}#"
        while first and self.text.startswith(comment, self.text.rfind("\n", 0, first - 1) + 1):
            first = self.text.rfind("\n", 0, first - 1) + 1
        return first or start, end

    @property
    def is_flow(self) -> bool:
        """Whether it stands in braces."""
        return bool(self.holder.flow_style)

    @property
    def begins_its_line(self) -> bool:
        """Whether nothing but spaces stands before its key."""
        return not self.text[self.lines[0] : self.start].strip(" ")

    def comments(self, start: int, end: int) -> list[str]:
        """Return the comments between two places of its lines."""
        characters = list(self.text[start:end])
        for node in (self.key, *_scalars(self.value)):
            first, last = int(node.start_mark.index), int(node.end_mark.index)
            for index in range(max(first, start), min(last, end)):
                if characters[index - start] == "#":
                    characters[index - start] = "_"
        found = map(_COMMENT.search, "".join(characters).split("\n"))
        return [comment[0].rstrip() for comment in found if comment]


def root_of(text: str) -> yaml.Node | None:
    """Return the node of a whole file, None of one that is empty."""
    return yaml.compose(text, CoreSchemaLoader)


def find_entry(text: str, path: FieldPath) -> YamlEntry | None:
    """Return the entry at a path; None where none is written there, as where `<<` merges it."""
    node, entry = root_of(text), None
    for step in path:
        there = (one for one in entries(text, node, entry) if one.key.value == step)
        if (entry := next(there, None)) is None:
            return None
        node = entry.value
    return entry


def entries(
    text: str, node: yaml.Node | None, above: YamlEntry | None = None
) -> Iterator[YamlEntry]:
    """Yield the entries of a mapping; none of any other value."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield YamlEntry(text, key, value, node, above)


def _line_end(text: str, index: int) -> int:
    """Return where the next line begins, or the text ends."""
    return text.find("\n", index) + 1 or len(text)


def _end(text: str, node: yaml.Node) -> int:
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    if isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        # A block ends where the next token begins.
        last = node.value[-1]
        inner = (_end(text, one) for one in (last if isinstance(last, tuple) else (last,)))
        return max(start, *inner)
    return start + len(text[start:end].rstrip())


def _scalars(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    else:
        for each in node.value:
            for inner in each if isinstance(each, tuple) else (each,):
                yield from _scalars(inner)
