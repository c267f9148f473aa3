"""The functions that the API server adds to CEL, for another evaluator, as far as rules call them.

https://kubernetes.io/docs/reference/using-api/cel/#cel-community-libraries
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from policies.quantity import read_quantity

cel = pytest.importorskip("cel_expr_python.cel")
_ANY, _DOUBLE, _INT = cel.Type.DYN, cel.Type.DOUBLE, cel.Type.INT
_LIST, _STRING = cel.Type.LIST, cel.Type.STRING


def _is_integer(quantity: Any) -> bool:
    return type(read_quantity(_plain(quantity))) is int


def _as_float(quantity: Any) -> float:
    amount = read_quantity(_plain(quantity))
    assert amount is not None, f"{quantity} is not a quantity"
    return float(amount)


def _plain(value: Any) -> Any:
    return value.plain_value() if hasattr(value, "plain_value") else value


def _plain_list(values: Any) -> list[Any]:
    return [_plain(value) for value in values]


def _index_of(values: Any, value: Any) -> int:
    plain = _plain_list(values)
    return plain.index(_plain(value)) if _plain(value) in plain else -1


def _compared(one: Any, other: Any) -> int:
    first, second = read_quantity(_plain(one)), read_quantity(_plain(other))
    assert first is not None, f"{one} is not a quantity"
    assert second is not None, f"{other} is not a quantity"
    return (first > second) - (first < second)


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


def _function(name: str, result: Any, parameters: list[Any], implementation: Any) -> Any:
    is_member = name not in ("quantity", "lists.range")
    identifier = f"kubernetes_{name.replace('.', '_')}"
    overload = cel.Overload(identifier, result, parameters, is_member, implementation)
    return cel.FunctionDecl(name, [overload])


def kubernetes_functions() -> Any:
    """Return the extension."""
    return cel.CelExtension(
        "kubernetes",
        [
            _function("quantity", _ANY, [_STRING], lambda text: text),
            _function("isInteger", cel.Type.BOOL, [_ANY], _is_integer),
            _function("asApproximateFloat", _DOUBLE, [_ANY], _as_float),
            _function("sum", _ANY, [_LIST], lambda values: sum(_plain_list(values))),
            _function("max", _ANY, [_LIST], lambda values: max(_plain_list(values))),
            _function("min", _ANY, [_LIST], lambda values: min(_plain_list(values))),
            _function("compareTo", _INT, [_ANY, _ANY], _compared),
            _function("findAll", _LIST, [_STRING, _STRING], _find_all),
            _function("flatten", _LIST, [_LIST], _flat),
            _function("distinct", _LIST, [_LIST], _distinct),
            _function("lists.range", _LIST, [_INT], lambda end: list(range(end))),
            _function("indexOf", _INT, [_LIST, _ANY], _index_of),
        ],
    )
