"""Reading a YAML file with the line of every value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from charts_py.spec.fault import Fault, FieldPath, Mark, Problem

Scalar = str | int | float | bool | None
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"
"""A YAML value as JSON would hold it."""


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a YAML file, and where each of its values stands."""

    content: dict[str, Value]
    marks: Mapping[FieldPath, Mark]
    faults: tuple[Fault, ...] = ()


def read_source(file: Path, shown_as: str) -> Source:
    """Read a YAML mapping (YAML 1.2, so `no` and `on` are words).

    Text that is no YAML, a root that is no mapping and keys that stand twice come back as faults.
    """
    try:
        root = YAML(typ="rt", pure=True).compose(file.read_text(encoding="utf-8"))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        return _failed(Mark(shown_as, line), f"no YAML: {error.problem or error.context}")
    except UnicodeDecodeError as error:
        return _failed(Mark(shown_as, 1), f"no UTF-8: {error.reason} at byte {error.start}")
    if root is None:
        return Source(content={}, marks={(): Mark(shown_as, 1)})
    if not isinstance(root, MappingNode):
        return _failed(Mark(shown_as, root.start_mark.line + 1), "the file holds no mapping")
    reader = _Reader(shown_as)
    content = reader.mapping(root, ())
    return Source(content=content, marks=reader.marks, faults=tuple(reader.faults))


def _failed(mark: Mark, what: str) -> Source:
    return Source(content={}, marks={(): mark}, faults=(Fault(mark, Problem((), what)),))


class _Reader:
    """Turns composed nodes into values and notes their lines."""

    def __init__(self, shown_as: str) -> None:
        self.shown_as = shown_as
        self.marks: dict[FieldPath, Mark] = {}
        self.faults: list[Fault] = []
        self._scalars = YAML(typ="safe", pure=True).constructor

    def value(self, node: Node, path: FieldPath, mark: Mark) -> Value:
        self.marks[path] = mark
        if isinstance(node, MappingNode):
            return self.mapping(node, path)
        if isinstance(node, SequenceNode):
            return [
                self.value(item, (*path, index), self._mark(item))
                for index, item in enumerate(node.value)
            ]
        return self._scalar(node)

    def mapping(self, node: MappingNode, path: FieldPath) -> dict[str, Value]:
        self.marks.setdefault(path, self._mark(node))
        content: dict[str, Value] = {}
        for key_node, value_node in self._pairs(node):
            key = str(key_node.value)
            mark = self._mark(key_node)
            if key in content:
                first = self.marks[(*path, key)].line
                problem = Problem((*path, key), f"named twice; first on line {first}")
                self.faults.append(Fault(mark, problem))
                continue
            content[key] = self.value(value_node, (*path, key), mark)
        return content

    def _pairs(self, node: Node) -> Iterator[tuple[ScalarNode, Node]]:
        """Yield keys and values, those of a merged anchor (`<<`) last."""
        merged: list[Node] = []
        for key, value in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                merged.extend(value.value if isinstance(value, SequenceNode) else [value])
            else:
                yield key, value
        own = {key.value for key, _ in node.value}
        for source in merged:
            for key, value in self._pairs(source):
                if key.value not in own:
                    own.add(key.value)
                    yield key, value

    def _scalar(self, node: Node) -> Value:
        constructed = self._scalars.construct_object(node)
        if constructed is None or isinstance(constructed, (bool, int, float, str)):
            return constructed
        return str(node.value)

    def _mark(self, node: Node) -> Mark:
        return Mark(self.shown_as, node.start_mark.line + 1)
