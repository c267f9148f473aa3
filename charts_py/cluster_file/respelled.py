"""What a text of the wrong format would be in the right one."""

import re
from collections.abc import Iterator


def respelled(text: str, pattern: str) -> tuple[str, ...]:
    """Return the first spelling of a text that a pattern matches as a whole; empty without one."""
    fitting = (each for each in _spellings(text.strip(), pattern) if re.fullmatch(pattern, each))
    return tuple(fitting)[:1]


def _spellings(text: str, pattern: str) -> Iterator[str]:
    yield text
    yield text.lower()
    if "://" in text:
        yield from _without_scheme(text, pattern)
        return
    if text.startswith("arn:"):
        yield text.rpartition("/")[2]
    # With the slash that ends a prefix, or the scheme of a URL; and as a path in a folder.
    yield from (f"{text}/", f"https://{text}")
    yield re.sub(r"/+", "/", text).removeprefix("./").strip("/")
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    yield from (words, words.replace("-", ""))


def _without_scheme(url: str, pattern: str) -> Iterator[str]:
    """Yield what follows the scheme where it may begin with a host, which may have a port."""
    rest = url.partition("://")[2]
    host, slash, path = rest.partition("/")
    for end in ("", "/"):
        if re.fullmatch(pattern, f"{host.partition(':')[0]}:443{slash}{path}{end}"):
            yield f"{rest}{end}"
