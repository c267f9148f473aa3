"""Functions of the API server that only CEL of the platform calls, and own rules may not.

For the API server a large quantity is not an integer, and patterns are of RE2; it has those of
lists since 1.34, so that only policies that mutate call them.
"""

import re
from typing import Any

from policies.custom.expressions import QUANTITY, Function, amount, extension_of, plain, plain_list


def platform_functions() -> Any:
    """Return the extension that evaluates them."""
    return extension_of("platform", _FUNCTIONS)


def _is_integer(quantity: Any) -> bool:
    return type(read := amount(quantity)) is int and read < 10**18


def _find_all(text: Any, pattern: Any) -> list[str]:
    return re.findall(plain(pattern), plain(text))


def _flat(values: Any) -> list[Any]:
    return [element for inner in plain_list(values) for element in inner]


def _distinct(values: Any) -> list[Any]:
    found: list[Any] = []
    for value in plain_list(values):
        if value not in found:
            found.append(value)
    return found


_FUNCTIONS = (
    Function("isInteger", [("BOOL", [QUANTITY])], _is_integer),
    Function("findAll", [("LIST<STRING>", ["STRING", "STRING"])], _find_all),
    Function("flatten", [("LIST<DYN>", ["LIST<DYN>"])], _flat),
    Function("distinct", [("LIST<DYN>", ["LIST<DYN>"])], _distinct),
    Function("lists.range", [("LIST<INT>", ["INT"])], lambda end: list(range(end)), False),
)
