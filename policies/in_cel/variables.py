"""Picks the variables that an expression reads, and those that these read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Set

    from policies.in_cel.rule_in_cel import Variables

_READ = re.compile(r"\bvariables\.(\w+)")
_OBJECT = re.compile(r"\bobject(?=\.)")
_BEFORE = "old_"


def needed(expressions: Iterable[str], variables: Variables) -> Variables:
    """Return the variables that the expressions need, each after those that it reads itself.

    Raises KeyError where one does not exist.
    """
    wanted = {name for expression in expressions for name in _READ.findall(expression)}
    known = list(variables)
    for name in reversed(known):
        if name in wanted:
            wanted.update(_READ.findall(variables[name]))
    if unknown := wanted.difference(known):
        raise KeyError(f"no variable is called {', '.join(sorted(unknown))}")
    return {name: variables[name] for name in known if name in wanted}


def before(variables: Variables) -> Variables:
    """Return those variables that read the object, as it was before an update."""
    reading = _reading_object(variables)
    return {
        f"{_BEFORE}{name}": _of_old_object(expression, reading)
        for name, expression in variables.items()
        if name in reading
    }


def _reading_object(variables: Variables) -> Set[str]:
    reading = set[str]()
    for name, expression in variables.items():
        if _OBJECT.search(expression) or not reading.isdisjoint(_READ.findall(expression)):
            reading.add(name)
    return reading


def _of_old_object(expression: str, reading: Set[str]) -> str:
    def renamed(match: re.Match[str]) -> str:
        name = match[1]
        return f"variables.{_BEFORE}{name}" if name in reading else match[0]

    return _OBJECT.sub("oldObject", _READ.sub(renamed, expression))
