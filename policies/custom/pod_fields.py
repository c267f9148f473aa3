"""What an expression reads of a pod: which part of its schema each node of the tree has.

A part is a JSON schema. It is None of what is known only when it is evaluated, such as the value of
a label that is split; of that, nothing is a fault.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from policies.custom.tree import (
    Call,
    Comprehension,
    Constant,
    ListLiteral,
    MapLiteral,
    Name,
    Node,
    Select,
    children,
    walk,
)

Part: TypeAlias = Mapping[str, Any] | None

LITERAL: Part = {"title": "literal"}
"""What is written into the expression."""
_EMPTY: Part = {"title": "empty"}
"""A list or a map without members, which is one of any."""
_QUANTITY = ".Quantity"
"""How the name of the definition of a quantity ends."""

_INDEXES = ("_[_]", "_[?_]", "_?._")
_SAME = ("dyn", "string", "value", "optional.of")
"""Functions that return what they are given, as another type."""
_EITHER = ("orValue", "or")
_OF_ANY_ORDER = ("size", "sum", "max", "min")
"""Functions on a list that have the same value in whatever order it is."""
_MAP = b":"
"""How the evaluator begins to write the type of a map."""


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field that a pod does not have there."""

    text: str
    name: str
    known: Sequence[str]
    """Fields that are there; empty where there can be none."""


@dataclass(frozen=True, slots=True)
class FieldsRead:
    """What is known of the fields that an expression reads."""

    unknown: Sequence[UnknownField]
    unbounded: Sequence[str]
    """What quantity() and isQuantity() read that the API server has read as no quantity before."""
    unordered: Sequence[str]
    """Maps of which map() or filter() makes a list, in any order, and not only to count it."""


class PodSchema:
    """The schema of a pod; parts of it refer to definitions."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.root = schema
        self._definitions = schema.get("definitions", {})

    def resolved(self, part: Part) -> Part:
        while part is not None and "$ref" in part:
            part = self._definitions[part["$ref"].rpartition("/")[2]]
        return part

    def below(self, part: Part) -> Part:
        """Return the part of an element of a list, or of a member of a map of any names."""
        resolved = self.resolved(part) or {}
        found = resolved.get("items") or resolved.get("additionalProperties")
        return found if isinstance(found, Mapping) else None

    def fields(self, part: Part) -> Mapping[str, Part] | None:
        """Return the fields of an object; none of a text or a list, None where any is right."""
        resolved = self.resolved(part)
        if resolved is None or resolved in (LITERAL, _EMPTY):
            return None
        if resolved.get("type", "object") != "object" or "items" in resolved:
            return {}
        found: Mapping[str, Part] | None = resolved.get("properties")
        return found


def is_quantity(part: Part) -> bool:
    """Return whether the API server reads a part as a quantity when it reads the pod."""
    return part is not None and str(part.get("$ref", "")).endswith(_QUANTITY)


def fields_read(tree: Node, schema: PodSchema) -> FieldsRead:
    reading = _Reading(schema)
    reading.part(tree, {"object": schema.root})
    calls = (node for node in walk(tree) if isinstance(node, Call))
    counted = {id(call.arguments[0]) for call in calls if call.function in _OF_ANY_ORDER}
    unordered = [written(each.range) for each in reading.unordered if id(each) not in counted]
    return FieldsRead(reading.unknown, reading.unbounded, unordered)


def written(node: Node) -> str:
    """Return an expression about as its author wrote it."""
    match node:
        case Name(name=name):
            return name
        case Constant(text=text):
            return "..." if text is None else f'"{text}"'
        case Select(operand=operand, field=field):
            return f"{written(operand)}.{field}"
        case Call(function="_?._", arguments=(operand, Constant(text=text))):
            return f"{written(operand)}.?{text}"
        case Call(function=function, arguments=(operand, key)) if function in _INDEXES:
            return f"{written(operand)}[{written(key)}]"
        case Call(function=function, arguments=(first, *_)) if function[0].isalpha():
            return f"{written(first)}.{function}(...)"
    return "(...)"


class _Reading:
    def __init__(self, schema: PodSchema) -> None:
        self._schema = schema
        self.unknown: list[UnknownField] = []
        self.unbounded: list[str] = []
        self.unordered: list[Comprehension] = []

    def part(self, node: Node, names: Mapping[str, Part]) -> Part:
        """Return which part of the pod the node is, and note what is wrong below it."""
        match node:
            case Constant():
                return LITERAL
            case Name(name=name):
                return names.get(name)
            case Select(operand=operand, field=field):
                return self._member(node, self.part(operand, names), field)
            case Comprehension():
                return self._comprehension(node, names)
            case Call():
                return self._call(node, [self.part(each, names) for each in node.arguments])
            case ListLiteral() | MapLiteral():
                parts = [self.part(each, names) for each in children(node)]
                return self._made(node, parts)

    def _made(self, node: ListLiteral | MapLiteral, parts: Sequence[Part]) -> Part:
        if not parts:
            return _EMPTY
        if isinstance(node, MapLiteral):
            return None
        element = parts[0]
        for other in parts[1:]:
            element = _either(element, other)
        return None if element is None else {"title": "list", "items": element}

    def _call(self, call: Call, parts: Sequence[Part]) -> Part:
        match call:
            case Call(function=function, arguments=(_, Constant(text=str(name)))) if (
                function in _INDEXES
            ):
                return self._member(call, parts[0], name)
            case Call(function=function) if function in _INDEXES:
                return self._schema.below(parts[0])
            case Call(function="quantity" | "isQuantity", arguments=(read,)):
                if not is_quantity(parts[0]) and parts[0] is not LITERAL:
                    self.unbounded.append(written(read))
            case Call(function=function) if function in _SAME:
                return parts[0]
            case Call(function=function) if function in _EITHER:
                return _either(parts[0], parts[1])
            case Call(function="_?_:_"):
                return _either(parts[1], parts[2])
            case Call(function="_+_"):
                joined = _either(parts[0], parts[1])
                return joined if "items" in (self._schema.resolved(joined) or {}) else None
        return None

    def _comprehension(self, node: Comprehension, names: Mapping[str, Part]) -> Part:
        over = self.part(node.range, names)
        start = self.part(node.start, names)
        schema = self._schema.resolved(over) or {}
        is_map = schema.get("type") == "object" or node.range.type.startswith(_MAP)
        if is_map and isinstance(node.start, ListLiteral):  # of map() and filter()
            self.unordered.append(node)
        # Of a map, a macro reads the names, which are not part of the schema.
        is_list = "items" in schema
        element = self._schema.below(over) if is_list else None
        inner = {**names, node.element: element, node.second: None, node.result_name: start}
        self.part(node.condition, inner)
        step = self.part(node.step, inner)
        return self.part(node.result, {**names, node.result_name: step})

    def _member(self, node: Node, part: Part, name: str) -> Part:
        fields = self._schema.fields(part)
        if fields is None:
            return self._schema.below(part)
        if name not in fields:
            self.unknown.append(UnknownField(written(node), name, tuple(fields)))
        return fields.get(name)


def _either(one: Part, other: Part) -> Part:
    """Return what is known of a value that is one or the other."""
    if one is _EMPTY or (one is LITERAL and is_quantity(other)):
        return other
    if other is _EMPTY or one == other or (other is LITERAL and is_quantity(one)):
        return one
    return None
