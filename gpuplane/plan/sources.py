"""The sources of what a plan says, at the versions that were read."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

_FOLDER = files("gpuplane.plan")
_TERM = re.compile(r"\$(\w+)")


def source(name: str) -> str:
    return _sources()[name]


@cache
def _sources() -> Mapping[str, str]:
    written = read_table(_FOLDER / "sources.toml")
    terms = {name: (url,) for name, url in written.items()}
    return {name: next(expanded(url, terms)) for name, url in written.items()}


def read_table(file: Traversable) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def expanded(text: str, terms: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a text with each `$term` replaced, once for each member of the term."""
    found = _TERM.search(text)
    if found is None:
        yield text
        return
    for member in terms[found[1]]:
        yield from expanded(text[: found.start()] + member + text[found.end() :], terms)
