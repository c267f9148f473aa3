"""What can go wrong in reading `dist/`."""

from collections.abc import Collection

from gpus.nearest import nearest, nearest_hint


class DistError(Exception):
    """Why `dist/` cannot answer; the message names culprit, what is allowed, nearest name."""


def unknown(kind: str, name: str, allowed: Collection[str], place: object = None) -> DistError:
    """Return the error for a name that is none of the allowed ones."""
    return DistError(unknown_name(kind, name, allowed, place))


def unknown_name(kind: str, name: str, allowed: Collection[str], place: object = None) -> str:
    """Return what such an error says."""
    where = f" in {place}" if place else ""
    shown = ", ".join(allowed) or "none"
    return f'unknown {kind} "{name}"{where}; allowed: {shown}{nearest_hint(nearest(name, allowed))}'
