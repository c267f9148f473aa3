"""Picks the variables that an expression reads, and those that these read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


def before(variables: Mapping[str, str]) -> Variables:
    """Return the same variables of the object as it was before an update."""
    return {f"{_BEFORE}{name}": of_old_object(each) for name, each in variables.items()}


def of_old_object(expression: str) -> str:
    """Return an expression that reads the object as it was before an update."""
    return _OBJECT.sub("oldObject", _READ.sub(rf"variables.{_BEFORE}\1", expression))
