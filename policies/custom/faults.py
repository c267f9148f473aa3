"""Faults in the CEL of a custom rule, which the cluster file has before anything is rendered.

An expression that the API server refuses, or that Google's evaluator, which `gpuplane admit` uses,
does not evaluate alike, is a fault.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from gpus.nearest import nearest
from policies.custom.expressions import (
    OF_KUBERNETES,
    OF_QUANTITIES,
    VARIABLES,
    checking_environment,
    pattern_problem,
)
from policies.custom.tree import (
    MAX_LEVELS,
    Call,
    Comprehension,
    Constant,
    ListLiteral,
    MapLiteral,
    Node,
    TooDeepError,
    read_tree,
    walk,
)

MAX_LENGTH = 4096
"""Characters of an expression. One that a person reads has a few hundred."""

MACROS = ("has", "all", "exists", "exists_one", "map", "filter")
_STANDARD = ("size", "contains", "startsWith", "endsWith", "matches", "string", "dyn")
_OF_OPTIONALS = ("or", "orValue", "hasValue", "value", "optional.of", "optional.none")
_OF_STRINGS = (
    *("charAt", "indexOf", "lastIndexOf", "join", "lowerAscii", "upperAscii"),
    *("replace", "split", "substring", "trim"),
)
FUNCTIONS = tuple(dict.fromkeys((*_STANDARD, *_OF_OPTIONALS, *_OF_STRINGS, *OF_KUBERNETES)))
"""What rules may call besides macros and operators: all evaluators have them."""

_RESERVED_NAMES = ("object", "oldObject", "request", "variables", "params", "authorizer")
"""Variables of the API server's policies; a macro that gave one another meaning would mislead."""
_NOT_ALIKE = {
    "double_to_string": "string() of a double",
    "bytes_to_string": "string() of bytes",
    "string_substring_int_int": "substring() up to an end",
    "string_index_of_string_int": "indexOf() from a place",
    "string_last_index_of_string_int": "lastIndexOf() from a place",
}
"""Overloads on which evaluators differ; to ours, the end of a text is too far."""
_QUANTITY = b"\x28\x03"
"""How the evaluator writes the type that `expressions.QUANTITY` is."""
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


class Fault(NamedTuple):
    """What is wrong with an expression."""

    what: str
    allowed: str | None = None
    nearest: tuple[str, ...] = ()


def faults_in(expression: str, returns: Returns) -> Iterator[Fault]:
    """Yield what keeps an expression from being evaluated alike everywhere."""
    if len(expression) > MAX_LENGTH:
        what = f"an expression of {len(expression)} characters"
        yield Fault(what, f"at most {MAX_LENGTH}")
        return
    if not expression.strip():
        yield Fault("the expression is empty", f"CEL that returns a {returns.value}")
        return
    environment = checking_environment()  # a missing evaluator is not a fault of the expression
    try:
        compiled = environment.compile(expression)
    except Exception as error:  # the evaluator raises RuntimeError, and what else it will
        yield _syntax_fault(str(error))
        return
    try:
        tree = read_tree(compiled.serialize())
    except TooDeepError:
        yield Fault("the expression is nested too deeply", f"at most {MAX_LEVELS} levels")
        return
    found = _all_faults(tree)
    yield from found
    given = str(compiled.return_type().name())
    if not found and not _is_returned(given, returns):
        what = "what is known only when it is evaluated" if given == "DYN" else given.lower()
        yield Fault(f"the expression returns {what}", returns.value)


def checked_tree(expression: str) -> Node | None:
    """Return an expression as a tree; None where `faults_in` says why there is none."""
    if len(expression) > MAX_LENGTH:
        return None
    environment = checking_environment()
    try:
        tree = read_tree(environment.compile(expression).serialize())
    except Exception:  # as in faults_in
        return None
    return None if _all_faults(tree) else tree


def _syntax_fault(message: str) -> Fault:
    place = _PLACE.search(message)
    if place is None:
        return Fault(f"no CEL: {' '.join(message.split())}")
    line, column, problem = place.groups()
    at = f"at line {line}, column {column} of it"
    if undeclared := _UNDECLARED.match(problem):
        name = undeclared[1]
        # Of a field, too, the evaluator names all that it cannot resolve.
        name = name if name.startswith("request.") else name.partition(".")[0]
        known = (*VARIABLES, *MACROS, *FUNCTIONS)
        return Fault(f"{name} is unknown {at}", ", ".join(known), nearest(name, known))
    return Fault(f"no CEL: {problem} {at}")


def _all_faults(tree: Node) -> list[Fault]:
    return [*(fault for node in walk(tree) for fault in _faults(node)), *_long_exponents(tree)]


def _faults(node: Node) -> Iterator[Fault]:
    match node:
        case Call():
            yield from _call_faults(node)
        case Comprehension(element=first, second=second):
            for name in {first, second}.intersection(_RESERVED_NAMES):
                yield Fault(f"a macro names its element {name}", "a name of your own")
        case MapLiteral(message=name) if name:
            allowed = "maps, lists, strings, numbers, true and false"
            yield Fault(f"{name} is made, a message", allowed)
        case MapLiteral(keys=keys, values=values):
            yield from _mixed(keys)
            yield from _mixed(() if node.has_optional else values)
        case ListLiteral(elements=elements) if not node.has_optional:
            yield from _mixed(elements)


def _mixed(members: Sequence[Node]) -> Iterator[Fault]:
    if len({member.type for member in members}) > 1:
        what = "a list or a map has members of different types, which the API server refuses"
        yield Fault(what, "members of one type, or dyn(...) around each")


def _call_faults(call: Call) -> Iterator[Fault]:
    name = call.function
    if name[0].isalpha() and name not in FUNCTIONS:  # operators begin with a sign
        yield Fault(f"{name} is not offered", ", ".join(FUNCTIONS), nearest(name, FUNCTIONS))
    for overload in call.overloads if len(call.overloads) == 1 else ():
        if overload in _NOT_ALIKE:
            yield Fault(f"{_NOT_ALIKE[overload]} differs between evaluators")
    if name == "split":
        yield from _split_faults(call.arguments[1])
    if name == "matches":
        yield from _pattern_faults(call.arguments[1])
    if name not in OF_QUANTITIES and any(_QUANTITY in each.type for each in call.arguments):
        what = "what quantity() returns is read by something else than its own functions"
        yield Fault(what, ", ".join(OF_QUANTITIES))


def _long_exponents(tree: Node) -> Iterator[Fault]:
    nodes = list(walk(tree))
    if any(isinstance(node, Call) and node.function in _READ_QUANTITIES for node in nodes):
        for node in nodes:
            exponent = _EXPONENT.fullmatch((isinstance(node, Constant) and node.text) or "")
            if exponent and len(exponent[1]) > _EXPONENT_DIGITS:
                what = f'the quantity "{exponent[0]}" would keep an API server busy for minutes'
                yield Fault(what, f"an exponent of at most {'9' * _EXPONENT_DIGITS}")


def _split_faults(separator: Node) -> Iterator[Fault]:
    if not isinstance(separator, Constant) or not separator.text:
        what = "split() by a text that may be empty differs between evaluators"
        yield Fault(what, 'a text in quotes that is not empty, such as ","')


def _pattern_faults(pattern: Node) -> Iterator[Fault]:
    if not isinstance(pattern, Constant) or pattern.text is None:
        what = "matches() by a pattern that is not a constant differs between evaluators"
        yield Fault(what, 'a pattern in quotes, such as "^[a-z]+$"')
    elif _BYTE.search(pattern.text):
        yield Fault(r"the pattern of matches() has \C, which is an error to the API server")
    elif problem := pattern_problem(pattern.text):
        yield Fault(f"the pattern of matches() does not compile: {problem}")


def _is_returned(given: str, returns: Returns) -> bool:
    if returns is Returns.OPERATIONS:
        return given.startswith("LIST<MAP<STRING, ")
    return given == returns.name
