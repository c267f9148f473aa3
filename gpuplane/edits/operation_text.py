"""One operation of a JSON Patch, done in the text of one document."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import yaml

from charts_py.cluster_file.fault import FieldPath
from gpuplane.edits.entry_edits import (
    insert_into_flow,
    insert_item,
    insert_member,
    margin_of,
    removal,
    replacement,
)
from gpuplane.edits.text_edit import TextEdit, UneditableError, edited, newline_of, with_gap
from gpuplane.edits.written_value import BlockStyle, flow_style, style_of
from gpuplane.edits.yaml_entry import YamlEntry, entries, entries_on, shared_nodes
from policies.operation import Operation


def with_operation(text: str, root: yaml.Node, path: FieldPath, operation: Operation) -> str:
    """Do an operation, which applies to the content of the document, in its text.

    `path` is where: names, and an index for each item. Raises UneditableError.
    """
    on_the_way = entries_on(text, root, path[:-1])
    _check_way(on_the_way, path, shared_nodes(root))
    holder = _Holder(text, on_the_way[-1] if on_the_way else None, root)
    if operation.op == "remove":
        return edited(text, with_gap(text, holder.removal(path[-1])))
    return edited(text, holder.with_value(path[-1], operation))


def _check_way(on_the_way: Sequence[YamlEntry], path: FieldPath, shared: frozenset[int]) -> None:
    """Raise UneditableError where the holder of a place stands elsewhere, or in several places."""
    for entry in on_the_way:
        if id(entry.value) in shared:
            name = entry.value_text.split()[0]
            what = "stands in its place" if entry.is_alias else "shares it with other places"
            raise UneditableError(f"{name} {what}")
    if len(on_the_way) < len(path) - 1:
        _raise_merged(path[len(on_the_way)])


def _raise_merged(step: str | int) -> NoReturn:
    raise UneditableError(f"a merge key, <<, brings in {step}")


@dataclass(frozen=True)
class _Holder:
    """The mapping or sequence in which something changes."""

    text: str
    entry: YamlEntry | None
    """The entry whose value it is; None for a whole document."""
    root: yaml.Node

    @property
    def node(self) -> yaml.CollectionNode:
        node = self.root if self.entry is None else self.entry.value
        if not isinstance(node, yaml.CollectionNode):
            raise UneditableError("what is to hold it is written as a single value")
        return node

    @cached_property
    def siblings(self) -> tuple[YamlEntry, ...]:
        return tuple(entries(self.text, self.node, self.entry))

    @cached_property
    def style(self) -> BlockStyle:
        return style_of(self.root)

    def removal(self, step: str | int) -> TextEdit:
        """Remove an entry; braces or brackets stay where the holder would be empty."""
        found = self._find(step) or _raise_merged(step)
        if len(self.siblings) > 1:
            return removal(found)
        return self._whole({} if isinstance(step, str) else [])

    def with_value(self, step: str | int, operation: Operation) -> TextEdit:
        found = self._find(step)
        if found is not None and (operation.op == "replace" or isinstance(step, str)):
            return replacement(found, operation.value, self.style)
        if not self.siblings:
            value = operation.value
            return self._whole({step: value} if isinstance(step, str) else [value])
        if self.node.flow_style:
            return self._into_flow(step, operation.value)
        if isinstance(step, str):
            return insert_member(self.siblings[-1], step, operation.value, self.style)
        return insert_item(self.siblings, step, operation.value, self.style)

    def _find(self, step: str | int) -> YamlEntry | None:
        return next((one for one in self.siblings if one.step == step), None)

    def _whole(self, value: Any) -> TextEdit:
        if self.entry is None:
            raise UneditableError("it would be, or is, the only field of its document")
        return replacement(self.entry, value, self.style)

    def _into_flow(self, step: str | int, value: Any) -> TextEdit:
        flow = flow_style(self.text, self.node, self.entry, self.style.quote)
        place = margin_of(self.siblings), newline_of(self.text)
        if isinstance(step, str):
            member = flow.member(step, value, *place)
            return insert_into_flow(self.siblings, len(self.siblings), member, flow.comma)
        return insert_into_flow(self.siblings, step, flow.value(value, *place), flow.comma)
