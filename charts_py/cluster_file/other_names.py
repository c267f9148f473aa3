"""What others call values and fields of a cluster file, as `other_names.toml` lists it."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from gpus.nearest import nearest, nearest_hint

_NUMBERS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})+")
"""A version, to which another one is near by its numbers, whatever its letters."""


@cache
def _other_names() -> Mapping[str, Sequence[str]]:
    """Return names of fields and values by what others call them, in lower case."""
    return tomllib.loads((files(__package__) / "other_names.toml").read_text(encoding="utf-8"))


def nearest_name(name: str, allowed: Collection[str]) -> tuple[str, ...]:
    """Return the name that another one stands for, or else those that are spelled alike."""
    if all(map(_NUMBERS.fullmatch, (name, *allowed))):
        return (min(allowed, key=lambda each: _distance(name, each)),) if allowed else ()
    meant = [each for each in _other_names().get(name.lower(), ()) if each in allowed]
    return tuple(meant[:1]) or nearest(name, allowed)


def _distance(one: str, other: str) -> list[int]:
    """Return how far apart two versions are, the first part first."""
    pairs = zip(one.split("."), other.split("."), strict=False)
    return [abs(int(part) - int(beside)) for part, beside in pairs]


def unknown_name(kind: str, name: str, allowed: Collection[str], place: object = None) -> str:
    where = f" in {place}" if place else ""
    shown = ", ".join(allowed) or "none"
    hint = nearest_hint(nearest_name(name, allowed))
    return f'unknown {kind} "{name}"{where}; allowed: {shown}{hint}'


def respelled(text: str, pattern: str) -> tuple[str, ...]:
    """Return the first spelling of a text that a pattern matches as a whole; empty without one."""
    fitting = (each for each in _spellings(text.strip(), pattern) if re.fullmatch(pattern, each))
    return tuple(fitting)[:1]


def _spellings(text: str, pattern: str) -> Iterator[str]:
    if not text:
        return
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
