"""What is wrong with the CEL of a rule of a platform team's own.

What the API server and the other evaluator do not do alike is a fault, not a surprise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from gpus.nearest import nearest
from policies.own.checked_expression import MAX_LEVELS, TooDeepError, read_checked
from policies.own.expressions import VARIABLES, checking_environment, pattern_problem
from policies.own.kubernetes_functions import NAMES as OF_KUBERNETES
from policies.own.kubernetes_functions import OF_QUANTITIES
from policies.own.syntax_tree import (
    Call,
    Comprehension,
    Constant,
    ListLiteral,
    MapLiteral,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.own.syntax_tree import Node

MAX_LENGTH = 4096
"""Characters of an expression. One that a person reads has a few hundred."""

MACROS = ("has", "all", "exists", "exists_one", "map", "filter")
_STANDARD = ("size", "contains", "startsWith", "endsWith", "matches", "string")
_STANDARD_REST = ("dyn",)
_OF_OPTIONALS = ("or", "orValue", "hasValue", "value", "optional.of", "optional.none")
_OF_STRINGS = (
    "charAt",
    "indexOf",
    "lastIndexOf",
    "join",
    "lowerAscii",
    "upperAscii",
    "replace",
    "split",
    "substring",
    "trim",
)
FUNCTIONS = tuple(
    dict.fromkeys((*_STANDARD, *_STANDARD_REST, *_OF_OPTIONALS, *_OF_STRINGS, *OF_KUBERNETES))
)
"""What rules may call besides macros and operators, as every API server and we evaluate it."""

_RESERVED_NAMES = ("object", "oldObject", "request", "variables", "params", "authorizer")
"""Variables of the API server's policies; a macro that gave one another meaning would mislead."""
_NOT_ALIKE = {
    "double_to_string": "string() of a double",
    "string_substring_int_int": "substring() up to an end",
    "string_index_of_string_int": "indexOf() from a place",
    "string_last_index_of_string_int": "lastIndexOf() from a place",
}
"""Overloads on which evaluators differ; to ours, the end of a text is too far."""
_QUANTITY = b"\x28\x03"
"""How the evaluator writes the type that `kubernetes_functions.QUANTITY` is."""
_READ_QUANTITIES = ("quantity", "isQuantity")
_EXPONENT = re.compile(r"[+-]?[0-9]*\.?[0-9]*[eE][+-]?0*([0-9]*)")
_EXPONENT_DIGITS = 2
"""What is compared with a quantity of a billion digits is multiplied to as many: `Cmp` of
https://github.com/kubernetes/apimachinery/blob/v0.37.1/pkg/api/resource/amount.go"""
_BYTE = re.compile(r"(?<!\\)(?:\\\\)*\\C")
"""One byte, in RE2 of C++ alone (https://github.com/google/re2/wiki/Syntax)."""
_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*?)(?: \(in container ''\))?$", re.MULTILINE)
_UNDECLARED = re.compile(r"undeclared reference to '([^']*)'")


class Returns(StrEnum):
    """What an expression returns."""

    BOOL = "bool"
    STRING = "string"
    OPERATIONS = "list of maps, each with op, path and value"


class OwnFault(NamedTuple):
    """What is wrong with an expression."""

    what: str
    allowed: str | None = None
    nearest: Sequence[str] = ()


def own_faults(expression: str, returns: Returns) -> Iterator[OwnFault]:
    """Yield what keeps an expression from being evaluated alike everywhere."""
    if len(expression) > MAX_LENGTH:
        what = f"an expression of {len(expression)} characters"
        yield OwnFault(what, f"at most {MAX_LENGTH}")
        return
    if not expression.strip():
        yield OwnFault("the expression is empty", f"CEL that returns a {returns.value}")
        return
    environment = checking_environment()  # a missing evaluator is not a fault of the expression
    try:
        compiled = environment.compile(expression)
    except Exception as error:  # the evaluator raises RuntimeError, and what else it will
        yield _syntax_fault(str(error))
        return
    try:
        tree = read_checked(compiled.serialize())
    except TooDeepError:
        yield OwnFault("the expression is nested too deeply", f"at most {MAX_LEVELS} levels")
        return
    found = _all_faults(tree)
    yield from found
    given = str(compiled.return_type().name())
    if not found and not _is_returned(given, returns):
        what = "what is known only when it is evaluated" if given == "DYN" else given.lower()
        yield OwnFault(f"the expression returns {what}", returns.value)


def checked_tree(expression: str) -> Node | None:
    """Return an expression as a tree; None where `own_faults` says why there is none."""
    if len(expression) > MAX_LENGTH:
        return None
    environment = checking_environment()
    try:
        tree = read_checked(environment.compile(expression).serialize())
    except Exception:  # as in own_faults
        return None
    return None if _all_faults(tree) else tree


def _syntax_fault(message: str) -> OwnFault:
    place = _PLACE.search(message)
    if place is None:
        return OwnFault(f"no CEL: {' '.join(message.split())}")
    line, column, problem = place.groups()
    at = f"at line {line}, column {column} of it"
    if undeclared := _UNDECLARED.match(problem):
        name = undeclared[1]
        # Of a field, too, the evaluator names all that it cannot resolve.
        name = name if name.startswith("request.") else name.partition(".")[0]
        known = (*VARIABLES, *MACROS, *FUNCTIONS)
        return OwnFault(f"{name} is unknown {at}", ", ".join(known), nearest(name, known))
    return OwnFault(f"no CEL: {problem} {at}")


def _all_faults(tree: Node) -> list[OwnFault]:
    return [*(fault for node in walk(tree) for fault in _faults(node)), *_long_exponents(tree)]


def _faults(node: Node) -> Iterator[OwnFault]:
    match node:
        case Call():
            yield from _call_faults(node)
        case Comprehension(element=first, second=second):
            for name in {first, second}.intersection(_RESERVED_NAMES):
                yield OwnFault(f"a macro names its element {name}", "a name of your own")
        case MapLiteral(message=name) if name:
            allowed = "maps, lists, strings, numbers, true and false"
            yield OwnFault(f"{name} is made, a message", allowed)
        case MapLiteral(keys=keys, values=values):
            yield from _mixed(keys)
            yield from _mixed(() if node.has_optional else values)
        case ListLiteral(elements=elements) if not node.has_optional:
            yield from _mixed(elements)


def _mixed(members: Sequence[Node]) -> Iterator[OwnFault]:
    if len({member.type for member in members}) > 1:
        what = "a list or a map has members of different types, which the API server refuses"
        yield OwnFault(what, "members of one type, or dyn(...) around each")


def _call_faults(call: Call) -> Iterator[OwnFault]:
    name = call.function
    if name[0].isalpha() and name not in FUNCTIONS:  # operators begin with a sign
        yield OwnFault(f"{name} is not offered", ", ".join(FUNCTIONS), nearest(name, FUNCTIONS))
    for overload in call.overloads if len(call.overloads) == 1 else ():
        if overload in _NOT_ALIKE:
            yield OwnFault(f"{_NOT_ALIKE[overload]} differs between evaluators")
    if name == "split":
        yield from _split_faults(call.arguments[1])
    if name == "matches":
        yield from _pattern_faults(call.arguments[1])
    if name not in OF_QUANTITIES and any(_QUANTITY in each.type for each in call.arguments):
        what = "what quantity() returns is read by something else than its own functions"
        yield OwnFault(what, ", ".join(OF_QUANTITIES))


def _long_exponents(tree: Node) -> Iterator[OwnFault]:
    nodes = list(walk(tree))
    if any(isinstance(node, Call) and node.function in _READ_QUANTITIES for node in nodes):
        for node in nodes:
            exponent = _EXPONENT.fullmatch((isinstance(node, Constant) and node.text) or "")
            if exponent and len(exponent[1]) > _EXPONENT_DIGITS:
                what = f'the quantity "{exponent[0]}" would keep an API server busy for minutes'
                yield OwnFault(what, f"an exponent of at most {'9' * _EXPONENT_DIGITS}")


def _split_faults(separator: Node) -> Iterator[OwnFault]:
    if not isinstance(separator, Constant) or not separator.text:
        what = "split() by a text that may be empty differs between evaluators"
        yield OwnFault(what, 'a text in quotes that is not empty, such as ","')


def _pattern_faults(pattern: Node) -> Iterator[OwnFault]:
    if not isinstance(pattern, Constant) or pattern.text is None:
        what = "matches() by a pattern that is not a constant differs between evaluators"
        yield OwnFault(what, 'a pattern in quotes, such as "^[a-z]+$"')
    elif _BYTE.search(pattern.text):
        yield OwnFault(r"the pattern of matches() has \C, which is an error to the API server")
    elif problem := pattern_problem(pattern.text):
        yield OwnFault(f"the pattern of matches() does not compile: {problem}")


def _is_returned(given: str, returns: Returns) -> bool:
    if returns is Returns.OPERATIONS:
        return given.startswith("LIST<MAP<STRING, ")
    return given == returns.name
