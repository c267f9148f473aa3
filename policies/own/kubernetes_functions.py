"""The functions that the API server adds to CEL, for another evaluator, as far as rules call them.

https://kubernetes.io/docs/reference/using-api/cel/#cel-community-libraries
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from policies.quantity import read_quantity

if TYPE_CHECKING:
    from fractions import Fraction

QUANTITY = "DURATION"
"""The type of a quantity where types are checked; no other function returns a duration."""

_MARK = "quantity:"
"""Begins the strings that quantities are where they are evaluated: no other passes for one."""

_NUMBERS = (int, float)


def _is_quantity(text: str) -> bool:
    # Spaces around one are dropped when JSON is read, not here.
    return text == text.strip() and read_quantity(text) is not None


def _quantity(text: str) -> str:
    if not _is_quantity(text):
        raise ValueError("not a quantity")
    return f"{_MARK}{text}"


def _amount(quantity: Any) -> int | Fraction:
    text = _plain(quantity)
    if type(text) is not str or not text.startswith(_MARK):
        raise ValueError("a string is no quantity before quantity() has read it")
    amount = read_quantity(text.removeprefix(_MARK))
    return 0 if amount is None else amount


def _is_integer(quantity: Any) -> bool:
    return type(_amount(quantity)) is int


def _as_float(quantity: Any) -> float:
    return float(_amount(quantity))


def _compared(one: Any, other: Any) -> int:
    first, second = _amount(one), _amount(other)
    return (first > second) - (first < second)


def _plain(value: Any) -> Any:
    return value.plain_value() if hasattr(value, "plain_value") else value


def _plain_list(values: Any) -> list[Any]:
    return [_plain(value) for value in values]


def _is_equal(one: Any, other: Any) -> bool:
    """Compare as CEL does, to which a boolean is no number."""
    same_type = type(one) is type(other) or (type(one) in _NUMBERS and type(other) in _NUMBERS)
    return same_type and bool(one == other)


def _index_of(values: Any, value: Any) -> int:
    sought = _plain(value)
    found = (at for at, each in enumerate(_plain_list(values)) if _is_equal(each, sought))
    return next(found, -1)


def _alike(values: Any, types: tuple[type, ...]) -> list[Any]:
    plain = _plain_list(values)
    if len({type(value) for value in plain}) > 1 or any(type(each) not in types for each in plain):
        raise ValueError("the elements of the list are not all of one type that this can take")
    return plain


def _sum(values: Any) -> Any:
    return sum(_alike(values, _NUMBERS))


def _max(values: Any) -> Any:
    return max(_alike(values, (*_NUMBERS, str, bool)))


def _min(values: Any) -> Any:
    return min(_alike(values, (*_NUMBERS, str, bool)))


def _find_all(text: Any, pattern: Any) -> list[str]:
    return re.findall(_plain(pattern), _plain(text))


def _flat(values: Any) -> list[Any]:
    return [element for inner in _plain_list(values) for element in inner]


def _distinct(values: Any) -> list[Any]:
    found: list[Any] = []
    for value in _plain_list(values):
        if value not in found:
            found.append(value)
    return found


class _Function(NamedTuple):
    """A function; its types are named as `Type` names them, `T` for what is known when called."""

    name: str
    signatures: Sequence[tuple[str, Sequence[str]]]
    """Its results and parameters, of which a method's first is what it is called on."""
    implementation: Callable[..., Any]
    is_member: bool = True


_NUMBERS_OF_LISTS = (("INT", ["LIST<INT>"]), ("DOUBLE", ["LIST<DOUBLE>"]))
_FUNCTIONS = (
    _Function("quantity", [(QUANTITY, ["STRING"])], _quantity, is_member=False),
    _Function("isQuantity", [("BOOL", ["STRING"])], _is_quantity, is_member=False),
    _Function("asApproximateFloat", [("DOUBLE", [QUANTITY])], _as_float),
    _Function("compareTo", [("INT", [QUANTITY, QUANTITY])], _compared),
    _Function("isGreaterThan", [("BOOL", [QUANTITY] * 2)], lambda a, b: _compared(a, b) > 0),
    _Function("isLessThan", [("BOOL", [QUANTITY] * 2)], lambda a, b: _compared(a, b) < 0),
    _Function("sum", _NUMBERS_OF_LISTS, _sum),
    _Function("max", [*_NUMBERS_OF_LISTS, ("STRING", ["LIST<STRING>"])], _max),
    _Function("min", [*_NUMBERS_OF_LISTS, ("STRING", ["LIST<STRING>"])], _min),
    _Function("indexOf", [("INT", ["LIST<DYN>", "DYN"])], _index_of),
)
NAMES = tuple(function.name for function in _FUNCTIONS)
"""What rules of a platform team's own may call, since every API server has it."""
OF_QUANTITIES = tuple(f.name for f in _FUNCTIONS if any(QUANTITY in p for _, p in f.signatures))
"""Those of them that take a quantity."""

_NOT_OFFERED = (
    _Function("isInteger", [("BOOL", [QUANTITY])], _is_integer),
    _Function("findAll", [("LIST<STRING>", ["STRING", "STRING"])], _find_all),
    _Function("flatten", [("LIST<DYN>", ["LIST<DYN>"])], _flat),
    _Function("distinct", [("LIST<DYN>", ["LIST<DYN>"])], _distinct),
    _Function("lists.range", [("LIST<INT>", ["INT"])], lambda end: list(range(end)), False),
)
"""What only CEL of the platform calls. For the API server a large quantity is not an integer, and
patterns are of RE2; it has those of lists since 1.34, so that only policies that mutate call
them."""


def evaluated_functions() -> Any:
    """Return the extension that evaluates all of them, whatever their arguments are."""
    from cel_expr_python import cel

    return cel.CelExtension(
        "kubernetes", [_evaluated(each) for each in (*_FUNCTIONS, *_NOT_OFFERED)]
    )


def checked_functions() -> Any:
    """Return the extension that knows the types of those which own rules may call."""
    from cel_expr_python import cel

    return cel.CelExtension("kubernetes", [_checked(each) for each in _FUNCTIONS])


def _evaluated(function: _Function) -> Any:
    from cel_expr_python import cel

    results = {result for result, _ in function.signatures}
    (parameters, *_) = [parameters for _, parameters in function.signatures]
    return cel.FunctionDecl(
        function.name,
        [
            cel.Overload(
                _identifier(function),
                _type(results.pop(), checked=False) if len(results) == 1 else cel.Type.DYN,
                [_type(each, checked=False) for each in parameters],
                function.is_member,
                function.implementation,
            )
        ],
    )


def _checked(function: _Function) -> Any:
    from cel_expr_python import cel

    return cel.FunctionDecl(
        function.name,
        [
            cel.Overload(
                f"{_identifier(function)}_{number}",
                _type(result, checked=True),
                [_type(each, checked=True) for each in parameters],
                function.is_member,
            )
            for number, (result, parameters) in enumerate(function.signatures)
        ],
    )


def _identifier(function: _Function) -> str:
    return f"kubernetes_{function.name.replace('.', '_')}"


def _type(name: str, *, checked: bool) -> Any:
    from cel_expr_python import cel

    if name.startswith("LIST<"):
        inner = _type(name.removeprefix("LIST<").removesuffix(">"), checked=checked)
        return cel.Type.List(inner) if checked else cel.Type.LIST
    if name == QUANTITY and not checked:
        return cel.Type.DYN
    return _types()[name]


def _types() -> Mapping[str, Any]:
    from cel_expr_python import cel

    return {
        each.name(): each
        for each in (
            cel.Type.BOOL,
            cel.Type.DOUBLE,
            cel.Type.DURATION,
            cel.Type.DYN,
            cel.Type.INT,
            cel.Type.LIST,
            cel.Type.STRING,
        )
    }
