"""What is wrong with the CEL of a rule of a platform team's own.

What the API server and the other evaluator do not do alike is a fault, not a surprise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from gpus.nearest import nearest
from policies.own.checked_expression import read_checked
from policies.own.expressions import VARIABLES, checking_environment
from policies.own.kubernetes_functions import NAMES as OF_KUBERNETES
from policies.own.kubernetes_functions import OF_QUANTITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.own.checked_expression import Call, CheckedExpression

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
"""Overloads of which one evaluator makes something else; to ours, the end of a text is too far."""
_QUANTITY = b"\x28\x03"
"""How the evaluator writes the type that `kubernetes_functions.QUANTITY` is."""
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
    try:
        compiled = checking_environment().compile(expression)
    except Exception as error:  # the evaluator raises RuntimeError, and what else it will
        yield _syntax_fault(str(error))
        return
    checked = read_checked(compiled.serialize())
    found = [*_faults(checked)]
    yield from found
    given = str(compiled.return_type().name())
    if not found and not _is_returned(given, returns):
        what = "what is known only when it is evaluated" if given == "DYN" else given.lower()
        yield OwnFault(f"the expression returns {what}", returns.value)


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


def _faults(checked: CheckedExpression) -> Iterator[OwnFault]:
    for call in checked.calls:
        yield from _call_faults(call)
    for name in checked.names:
        if name in _RESERVED_NAMES:
            yield OwnFault(f"a macro names its element {name}", "a name of your own")
    for name in checked.messages:
        yield OwnFault(
            f"{name} is made, a message", "maps, lists, strings, numbers, true and false"
        )
    if any(len(set(types)) > 1 for types in checked.literals):
        what = "a list or a map has members of different types, which the API server refuses"
        yield OwnFault(what, "members of one type, or dyn(...) around each")


def _call_faults(call: Call) -> Iterator[OwnFault]:
    name = call.function
    if name[0].isalpha() and name not in FUNCTIONS:  # operators begin with a sign
        yield OwnFault(f"{name} is not offered", ", ".join(FUNCTIONS), nearest(name, FUNCTIONS))
    for overload in call.overloads if len(call.overloads) == 1 else ():
        if overload in _NOT_ALIKE:
            yield OwnFault(f"{_NOT_ALIKE[overload]} differs between evaluators")
    if name not in OF_QUANTITIES and any(_QUANTITY in each for each in call.argument_types):
        what = "what quantity() returns is read by something else than its own functions"
        yield OwnFault(what, ", ".join(OF_QUANTITIES))


def _is_returned(given: str, returns: Returns) -> bool:
    if returns is Returns.OPERATIONS:
        return given.startswith("LIST<MAP<STRING, ")
    return given == returns.name
