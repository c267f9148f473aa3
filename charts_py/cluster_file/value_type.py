"""Of which type a value is, in words."""

from typing import Any

_STRING_TYPES = ("string", "date")


def type_of(value: Any, expected: str) -> str:
    """Describe the type of a value; where a string is expected, ask for quotes."""
    if value is None:
        return "no value is given"
    if isinstance(value, (dict, list)):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} is given"
    if isinstance(value, str):
        return f'"{value}" {"has the wrong format" if expected in _STRING_TYPES else "is a string"}'
    shown = str(value).lower()
    kind = "a boolean" if isinstance(value, bool) else "a number"
    return f"{shown} is {kind} in YAML; quote it" if expected == "string" else f"{shown} is {kind}"
