"""What can go wrong in reading `dist/`."""

from collections.abc import Collection

from gpus.nearest import nearest


class DistError(Exception):
    """Why `dist/` cannot answer; the message names culprit, what is allowed, nearest name."""


def unknown(kind: str, name: str, allowed: Collection[str], place: object = None) -> DistError:
    """Return the error for a name that is none of the allowed ones."""
    where = f" in {place}" if place else ""
    near = nearest(name, allowed)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    shown = ", ".join(allowed) or "none"
    return DistError(f'unknown {kind} "{name}"{where}; allowed: {shown}{hint}')
