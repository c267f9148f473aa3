"""The valid names that are nearest to a wrong one."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_SUGGESTIONS = 3


def nearest(name: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return up to `MAX_SUGGESTIONS` of the allowed names, best first, ignoring case."""
    originals = {candidate.lower(): candidate for candidate in allowed}
    close = difflib.get_close_matches(name.lower(), originals, n=MAX_SUGGESTIONS)
    return tuple(originals[match] for match in close)


def nearest_hint(close: Sequence[str]) -> str:
    """Return the end of an error message that names them; empty where there are none."""
    return f"; nearest: {', '.join(close)}" if close else ""
