"""What a text of the wrong format would be in the right one."""

import re
from collections.abc import Iterator


def respelled(text: str, pattern: str) -> tuple[str, ...]:
    """Return the first spelling of a text that a pattern matches as a whole; empty without one."""
    fitting = (each for each in _spellings(text.strip()) if re.fullmatch(pattern, each))
    return tuple(fitting)[:1]


def _spellings(text: str) -> Iterator[str]:
    yield text
    yield text.lower()
    if text.startswith("arn:"):
        yield text.rpartition("/")[2]
    # Without the scheme of a URL, or with it; and with the slash that ends a prefix.
    bare = text.partition("://")[2] or text
    yield from (bare, f"{bare}/", f"https://{bare}")
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    yield from (words, words.replace("-", ""))
