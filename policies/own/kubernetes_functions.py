"""The functions that the API server adds to CEL, for another evaluator, as far as rules call them.

https://kubernetes.io/docs/reference/using-api/cel/#cel-community-libraries
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

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


def amount(quantity: Any) -> int | Fraction:
    """Return what a quantity amounts to; raises ValueError where it is none."""
    text = plain(quantity)
    if type(text) is not str or not text.startswith(_MARK):
        raise ValueError("a string is no quantity before quantity() has read it")
    read = read_quantity(text.removeprefix(_MARK))
    return 0 if read is None else read


def _as_float(quantity: Any) -> float:
    return float(amount(quantity))


def _compared(one: Any, other: Any) -> int:
    first, second = amount(one), amount(other)
    return (first > second) - (first < second)


def plain(value: Any) -> Any:
    """Return a value of the evaluator as one of Python."""
    return value.plain_value() if hasattr(value, "plain_value") else value


def plain_list(values: Any) -> list[Any]:
    """Return a list of the evaluator as one of Python."""
    return [plain(value) for value in values]


def _is_equal(one: Any, other: Any) -> bool:
    """Compare as CEL does, for which a boolean is not a number."""
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


def _sum(values: Any) -> Any:
    return sum(_alike(values, _NUMBERS))


def _max(values: Any) -> Any:
    return max(_alike(values, (*_NUMBERS, str, bool)))


def _min(values: Any) -> Any:
    return min(_alike(values, (*_NUMBERS, str, bool)))


Implementation: TypeAlias = Callable[..., Any]


class Function(NamedTuple):
    """A function; its types are named as `Type` names them, `T` for what is known when called."""

    name: str
    signatures: Sequence[tuple[str, Sequence[str]]]
    """Its results and parameters, of which a method's first is what it is called on."""
    implementation: Implementation
    is_member: bool = True


_NUMBERS_OF_LISTS = (("INT", ["LIST<INT>"]), ("DOUBLE", ["LIST<DOUBLE>"]))
_FUNCTIONS = (
    Function("quantity", [(QUANTITY, ["STRING"])], _quantity, is_member=False),
    Function("isQuantity", [("BOOL", ["STRING"])], _is_quantity, is_member=False),
    Function("asApproximateFloat", [("DOUBLE", [QUANTITY])], _as_float),
    Function("compareTo", [("INT", [QUANTITY, QUANTITY])], _compared),
    Function("isGreaterThan", [("BOOL", [QUANTITY] * 2)], lambda a, b: _compared(a, b) > 0),
    Function("isLessThan", [("BOOL", [QUANTITY] * 2)], lambda a, b: _compared(a, b) < 0),
    Function("sum", _NUMBERS_OF_LISTS, _sum),
    Function("max", [*_NUMBERS_OF_LISTS, ("STRING", ["LIST<STRING>"])], _max),
    Function("min", [*_NUMBERS_OF_LISTS, ("STRING", ["LIST<STRING>"])], _min),
    Function("indexOf", [("INT", ["LIST<DYN>", "DYN"])], _index_of),
)
NAMES = tuple(function.name for function in _FUNCTIONS)
"""What rules of a platform team's own may call, since every API server has it."""
OF_QUANTITIES = tuple(f.name for f in _FUNCTIONS if any(QUANTITY in p for _, p in f.signatures))
"""Those of them that take a quantity."""


def evaluated_functions(counted: Callable[[Implementation], Implementation] | None = None) -> Any:
    """Return the extension that evaluates all of them, whatever their arguments are.

    With `counted`, each counts what it is given.
    """
    if counted is None:
        return extension_of("kubernetes", _FUNCTIONS)
    functions = [each._replace(implementation=counted(each.implementation)) for each in _FUNCTIONS]
    return extension_of("kubernetes", functions)


def extension_of(name: str, functions: Sequence[Function]) -> Any:
    """Return an extension that evaluates functions, whatever their arguments are."""
    from cel_expr_python import cel

    return cel.CelExtension(name, [_evaluated(each) for each in functions])


def checked_functions() -> Any:
    """Return the extension that knows the types of those which own rules may call."""
    from cel_expr_python import cel

    return cel.CelExtension("kubernetes", [_checked(each) for each in _FUNCTIONS])


def _evaluated(function: Function) -> Any:
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


def _checked(function: Function) -> Any:
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


def _identifier(function: Function) -> str:
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
