"""Errors in reading `dist/`."""

from collections.abc import Collection

from charts_py.spec.other_names import nearest_name
from gpus.nearest import nearest_hint


class DistError(Exception):
    """What is wrong with `dist/`; the message names culprit, what is allowed and nearest name."""


def unknown(kind: str, name: str, allowed: Collection[str], place: object = None) -> DistError:
    """Return the error for a name that is none of the allowed ones."""
    return DistError(unknown_name(kind, name, allowed, place))


def unknown_name(kind: str, name: str, allowed: Collection[str], place: object = None) -> str:
    """Return the message of such an error."""
    where = f" in {place}" if place else ""
    shown = ", ".join(allowed) or "none"
    hint = nearest_hint(nearest_name(name, allowed))
    return f'unknown {kind} "{name}"{where}; allowed: {shown}{hint}'
