"""Picks the variables that an expression reads, and those that these read."""

import re
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from typing import NamedTuple, TypeAlias

Variables: TypeAlias = Mapping[str, str]
"""CEL by name. Each may read those before it, as `variables.NAME`."""

_TOKEN = re.compile(
    r"""
    # What says nothing of variables: raw strings, other strings, and comments.
    [rR][bB]?(?:"{3}.*?"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*')
    | "{3}(?:\\.|[^\\])*?"{3} | '{3}(?:\\.|[^\\])*?'{3}
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | //[^\n]*
    # Nor do fields, whatever they are called: the dot comes after a value.
    | (?<=[\w)\]}"'`]) (?:\s|//[^\n]*\n)*+ \. (?:\s|//[^\n]*\n)*+ \?? (?:\s|//[^\n]*\n)*+
      (?:\w+|`[^`\n]*`)
    | \bvariables\.(?P<read>\w+)
    | \b(?P<object>object)\b
    """,
    re.VERBOSE | re.DOTALL,
)
_BEFORE = "_before"
"""Ends the name of a variable as it was before an update."""


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
        f"{name}{_BEFORE}": _of_old_object(expression, names_read(expression) & reading)
        for name, expression in variables.items()
        if name in reading
    }


def inlined(expression: str, variables: Variables) -> str:
    """Return an expression that reads no variable: each stands in it, in parentheses."""

    def written(match: re.Match[str]) -> str:
        name = match["read"]
        return f"({inlined(variables[name], variables)})" if name else match[0]

    return _TOKEN.sub(written, expression)


def of_old_object(expression: str) -> str:
    """Return an expression without variables that reads the object as it was before an update."""
    return _of_old_object(expression, frozenset())


def _reading_object(variables: Variables) -> Set[str]:
    reading = set[str]()
    for name, expression in variables.items():
        read = _read(expression)
        if read.is_object or not reading.isdisjoint(read.names):
            reading.add(name)
    return reading


def names_read(expression: str) -> Set[str]:
    return _read(expression).names


class _Read(NamedTuple):
    """What an expression reads."""

    names: frozenset[str]
    is_object: bool


_EXPRESSIONS = 512
"""More than a cluster has; the policies of each action read many of the same."""


@lru_cache(_EXPRESSIONS)
def _read(expression: str) -> _Read:
    tokens = list(_TOKEN.finditer(expression))
    names = frozenset(token["read"] for token in tokens if token["read"])
    return _Read(names, any(token["object"] for token in tokens))


@lru_cache(_EXPRESSIONS)
def _of_old_object(expression: str, reading: Set[str]) -> str:
    def renamed(match: re.Match[str]) -> str:
        if match["object"]:
            return "oldObject"
        name = match["read"]
        return f"variables.{name}{_BEFORE}" if name in reading else match[0]

    return _TOKEN.sub(renamed, expression)


def prefix_of(rule: str) -> str:
    return rule.replace("-", "_")
