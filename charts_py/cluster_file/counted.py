"""Counts as messages have them."""

import re

_CONSONANT_AND_Y = re.compile(r"[^aeiou]y")


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which is in the plural unless there is one: `2 entries`."""
    is_irregular = _CONSONANT_AND_Y.fullmatch(noun[-2:]) is not None
    plural = f"{noun[:-1]}ies" if is_irregular else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"
