"""Evaluates CEL with Google's evaluator, and adds the functions that the API server adds.

https://kubernetes.io/docs/reference/using-api/cel/#cel-community-libraries. The evaluator takes
13 MB of memory, so it is imported only where there is something to evaluate.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from policies.document import Json, cut, elements, printable
from policies.quantity import read_quantity

OBJECT = "object"
NAMESPACE = "request.namespace"
OPERATION = "request.operation"
VARIABLES = (OBJECT, NAMESPACE, OPERATION)
"""What custom rules may read."""
QUANTITY = "DURATION"
"""The type of a quantity where types are checked; no other function returns a duration."""

MAX_MEMBERS = 500
"""Members of a list or mapping: the evaluator takes time and memory by the square of what it maps
or filters, since it copies what it has gathered at each step."""

_MARK = "quantity:"
"""Begins the strings that stand for quantities during evaluation; no other string passes as one."""
_NUMBERS = (int, float)
_PATTERN = "pattern"
_MAX_REASON = 120
_KINDS = re.compile(r"^[A-Z_]+: | \[[A-Z_]+\]$")


class EvaluationError(ValueError):
    """Why an expression has no value."""


class Expressions:
    """Compiles and evaluates expressions that read variables of any type."""

    def __init__(self, variables: tuple[str, ...], extensions: Sequence[Any] = ()) -> None:
        from cel_expr_python import cel

        self._error = cel.Type.ERROR
        self._environment = cel.NewEnv(
            variables=dict.fromkeys(variables, cel.Type.DYN),
            extensions=[*_libraries(), evaluated_functions(), *extensions],
        )

    def compile(self, expression: str) -> Any:
        return self._environment.compile(expression)

    def value(self, expression: Any, data: Mapping[str, Any]) -> Any:
        """Evaluate a compiled expression; raises EvaluationError."""
        try:
            # All that is made for a value lives as long as the variables do.
            value = expression.eval(self._environment.Activation(data))
            plain_value = value.plain_value()
        except Exception as error:  # what its own functions raise has other types
            raise EvaluationError(_reason(str(error))) from error
        if value.type() == self._error:
            raise EvaluationError(_reason(str(plain_value)))
        return plain_value


def most_members(value: Json) -> int:
    """Return how many members the largest list or mapping in a value has."""
    inner = value.values() if isinstance(value, Mapping) else elements(value)
    return max(len(inner), max(map(most_members, inner), default=0))


@cache
def expressions() -> Expressions:
    return Expressions(VARIABLES)


@cache
def checking_environment() -> Any:
    """Return what compiles custom rules with the types of the API server."""
    from cel_expr_python import cel

    types = {OBJECT: cel.Type.DYN, NAMESPACE: cel.Type.STRING, OPERATION: cel.Type.STRING}
    functions = cel.CelExtension("kubernetes", [_checked(each) for each in _FUNCTIONS])
    return cel.NewEnv(variables=types, extensions=[*_libraries(), functions])


def pattern_problem(pattern: str) -> str:
    """Return why a text is not a regular expression; empty where it is one."""
    patterns = Expressions((_PATTERN,))
    try:
        patterns.value(patterns.compile(f"''.matches({_PATTERN})"), {_PATTERN: pattern})
    except EvaluationError as error:
        return str(error)
    return ""


def _libraries() -> list[Any]:
    from cel_expr_python.ext import ext_optional, ext_strings

    return [ext_optional.ExtOptional(), ext_strings.ExtStrings()]


def _reason(text: str) -> str:
    """Return what is wrong, without the evaluator's name of its kind, short and printable."""
    return printable(cut(_KINDS.sub("", text), _MAX_REASON))


def plain(value: Any) -> Any:
    return value.plain_value() if hasattr(value, "plain_value") else value


def plain_list(values: Any) -> list[Any]:
    return [plain(value) for value in values]


def amount(quantity: Any) -> int | Fraction:
    """Return what a quantity amounts to; raises ValueError where it is none."""
    text = plain(quantity)
    if type(text) is not str or not text.startswith(_MARK):
        raise ValueError("a string is no quantity before quantity() has read it")
    read = read_quantity(text.removeprefix(_MARK))
    return 0 if read is None else read


def _is_quantity(text: str) -> bool:
    # Spaces around one are dropped when JSON is read, not here.
    return text == text.strip() and read_quantity(text) is not None


def _quantity(text: str) -> str:
    if not _is_quantity(text):
        raise ValueError("not a quantity")
    return f"{_MARK}{text}"


def _compared(one: Any, other: Any) -> int:
    first, second = amount(one), amount(other)
    return (first > second) - (first < second)


def _is_equal(one: Any, other: Any) -> bool:
    """Compare as CEL does: a boolean is not a number."""
    same_type = type(one) is type(other) or (type(one) in _NUMBERS and type(other) in _NUMBERS)
    return same_type and bool(one == other)


def _index_of(values: Any, value: Any) -> int:
    sought = plain(value)
    found = (at for at, each in enumerate(plain_list(values)) if _is_equal(each, sought))
    return next(found, -1)


def _alike(values: Any, types: tuple[type, ...]) -> list[Any]:
    found = plain_list(values)
    if len({type(value) for value in found}) > 1 or any(type(each) not in types for each in found):
        raise ValueError("the elements of the list are not all of one type that this can take")
    return found


Implementation: TypeAlias = Callable[..., Any]


class Function(NamedTuple):
    """A function; its types are named as `Type` names them, `T` for what is known when called."""

    name: str
    signatures: Sequence[tuple[str, Sequence[str]]]
    """Its results and parameters; a method's first parameter is what it is called on."""
    implementation: Implementation
    is_member: bool = True


_NUMBERS_OF_LISTS = (("INT", ["LIST<INT>"]), ("DOUBLE", ["LIST<DOUBLE>"]))
_ORDERED_OF_LISTS = (*_NUMBERS_OF_LISTS, ("STRING", ["LIST<STRING>"]))
_ORDERED = (*_NUMBERS, str, bool)
_FUNCTIONS = (
    Function("quantity", [(QUANTITY, ["STRING"])], _quantity, is_member=False),
    Function("isQuantity", [("BOOL", ["STRING"])], _is_quantity, is_member=False),
    Function("asApproximateFloat", [("DOUBLE", [QUANTITY])], lambda each: float(amount(each))),
    Function("compareTo", [("INT", [QUANTITY, QUANTITY])], _compared),
    Function("isGreaterThan", [("BOOL", [QUANTITY] * 2)], lambda a, b: _compared(a, b) > 0),
    Function("isLessThan", [("BOOL", [QUANTITY] * 2)], lambda a, b: _compared(a, b) < 0),
    Function("sum", _NUMBERS_OF_LISTS, lambda values: sum(_alike(values, _NUMBERS))),
    Function("max", _ORDERED_OF_LISTS, lambda values: max(_alike(values, _ORDERED))),
    Function("min", _ORDERED_OF_LISTS, lambda values: min(_alike(values, _ORDERED))),
    Function("indexOf", [("INT", ["LIST<DYN>", "DYN"])], _index_of),
)
OF_KUBERNETES = tuple(function.name for function in _FUNCTIONS)
"""Functions that custom rules may call since every API server has them."""
OF_QUANTITIES = tuple(f.name for f in _FUNCTIONS if any(QUANTITY in p for _, p in f.signatures))


def evaluated_functions() -> Any:
    """Return the extension that evaluates all of them, whatever their arguments are."""
    return extension_of("kubernetes", _FUNCTIONS)


def extension_of(name: str, functions: Sequence[Function]) -> Any:
    from cel_expr_python import cel

    return cel.CelExtension(name, [_evaluated(each) for each in functions])


def _evaluated(function: Function) -> Any:
    from cel_expr_python import cel

    results = {result for result, _ in function.signatures}
    _, parameters = function.signatures[0]
    overload = cel.Overload(
        _identifier(function),
        _type(*results, checked=False) if len(results) == 1 else cel.Type.DYN,
        [_type(each, checked=False) for each in parameters],
        function.is_member,
        function.implementation,
    )
    return cel.FunctionDecl(function.name, [overload])


def _checked(function: Function) -> Any:
    from cel_expr_python import cel

    overloads = [
        cel.Overload(
            f"{_identifier(function)}_{number}",
            _type(result, checked=True),
            [_type(each, checked=True) for each in parameters],
            function.is_member,
        )
        for number, (result, parameters) in enumerate(function.signatures)
    ]
    return cel.FunctionDecl(function.name, overloads)


def _identifier(function: Function) -> str:
    return f"kubernetes_{function.name.replace('.', '_')}"


def _type(name: str, *, checked: bool) -> Any:
    from cel_expr_python import cel

    if name.startswith("LIST<"):
        inner = _type(name.removeprefix("LIST<").removesuffix(">"), checked=checked)
        return cel.Type.List(inner) if checked else cel.Type.LIST
    return cel.Type.DYN if name == QUANTITY and not checked else getattr(cel.Type, name)
