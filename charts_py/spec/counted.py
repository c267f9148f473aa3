"""Counts as messages have them."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, which is in the plural unless there is one: `2 entries`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"
