"""The right names that are nearest to a wrong one."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_SUGGESTIONS = 3


def nearest(name: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return up to `MOST_SUGGESTIONS` of the allowed names, best first, ignoring case."""
    spelled = {candidate.lower(): candidate for candidate in allowed}
    close = difflib.get_close_matches(name.lower(), spelled, n=MOST_SUGGESTIONS)
    return tuple(spelled[match] for match in close)


def nearest_hint(close: Sequence[str]) -> str:
    """Return the end of an error's sentence that names them; empty where there are none."""
    return f"; nearest: {', '.join(close)}" if close else ""
