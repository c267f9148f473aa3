"""Picks the variables that an expression reads, and those that these read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from policies.in_cel.rule_in_cel import Variables

_TOKEN = re.compile(
    r"""
    # What says nothing of variables: raw strings, other strings, and comments.
    [rR][bB]?(?:"{3}.*?"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*')
    | "{3}(?:\\.|[^\\])*?"{3} | '{3}(?:\\.|[^\\])*?'{3}
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | //[^\n]*
    | \bvariables\.(?P<read>\w+)
    | (?<![\w.])(?<!\.\?)(?P<object>object)\b
    """,
    re.VERBOSE | re.DOTALL,
)
_BEFORE = "_before"
"""Ends the name of a variable as it was: what rules of a platform team's own are called cannot."""


def needed(expressions: Iterable[str], variables: Variables) -> Variables:
    """Return the variables that the expressions need, each after those that it reads itself.

    Raises KeyError where one does not exist.
    """
    wanted = {name for expression in expressions for name in names_read(expression)}
    known = list(variables)
    for name in reversed(known):
        if name in wanted:
            wanted.update(names_read(variables[name]))
    if unknown := wanted.difference(known):
        raise KeyError(f"no variable is called {', '.join(sorted(unknown))}")
    return {name: variables[name] for name in known if name in wanted}


def before(variables: Variables) -> Variables:
    """Return those variables that read the object, as it was before an update."""
    reading = _reading_object(variables)
    return {
        f"{name}{_BEFORE}": _of_old_object(expression, reading)
        for name, expression in variables.items()
        if name in reading
    }


def _reading_object(variables: Variables) -> Set[str]:
    reading = set[str]()
    for name, expression in variables.items():
        reads_object = any(token["object"] for token in _TOKEN.finditer(expression))
        if reads_object or not reading.isdisjoint(names_read(expression)):
            reading.add(name)
    return reading


def names_read(expression: str) -> Set[str]:
    """Return the names of the variables that an expression reads."""
    return {token["read"] for token in _TOKEN.finditer(expression) if token["read"]}


def _of_old_object(expression: str, reading: Set[str]) -> str:
    def renamed(match: re.Match[str]) -> str:
        if match["object"]:
            return "oldObject"
        name = match["read"]
        return f"variables.{name}{_BEFORE}" if name in reading else match[0]

    return _TOKEN.sub(renamed, expression)
