"""Placeholders of new cluster files: fields that only the platform's own people can set."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from msgspec import Struct, convert

from charts_py.cluster_file.fault import Fault, FieldPath
from charts_py.platform.platform import Platform
from gpus.provider import Provider

_ANY = "*"


class Placeholder(Struct, frozen=True, forbid_unknown_fields=True):
    """A field, and what stands there until somebody sets it."""

    path: str
    """With `*` for any name."""
    placeholder: str
    allowed: str
    """What is to stand there, with an example."""
    consequence: str = ""
    """Where no first sync ends with it: why, behind `is a placeholder`."""
    provider: Provider | None = None
    """The only provider of whose clusters that is the placeholder."""

    def is_of(self, provider: Provider | None) -> bool:
        return self.provider in (None, provider)

    def fault(self, platform: Platform, path: FieldPath, value: str) -> Fault:
        what = value if path in platform.marks else f"{value}, the default,"
        return platform.fault(path, f"{what}{self.words}", self.allowed)

    def is_told_by(self, fault: Fault) -> bool:
        path = fault.problem.path
        return _matches(path, self.path.split(".")) and fault.problem.what.endswith(self.words)

    @property
    def words(self) -> str:
        return f" is a placeholder{self.consequence}"


@cache
def placeholders() -> tuple[Placeholder, ...]:
    text = (files(__package__) / "placeholders.toml").read_text(encoding="utf-8")
    return convert(tuple(tomllib.loads(text)["field"]), tuple[Placeholder, ...])


def placeholder_of(path: str) -> Placeholder:
    return next(each for each in placeholders() if each.path == path)


def with_placeholders(text: str, provider: Provider | None = None) -> str:
    """Return a template in which each `<path>` is the placeholder of that field."""
    for each in placeholders():
        if each.is_of(provider):
            text = text.replace(f"<{each.path}>", each.placeholder)
    return text


def unset_fields(platform: Platform) -> Iterator[Fault]:
    """Yield each field of a cluster that still has its placeholder, in the order of its file."""
    content = platform.cluster.model_dump(mode="json", by_alias=True, exclude_unset=True)
    found = (
        each.fault(platform, path, value)
        for each in placeholders()
        if each.is_of(platform.cluster.provider)
        for path, value in _at(content, each.path.split("."))
        if value == each.placeholder
    )
    yield from sorted(found, key=lambda fault: fault.mark)


def is_placeholder(fault: Fault) -> bool:
    """Return whether a warning is of a field that has its placeholder."""
    return any(each.is_told_by(fault) for each in placeholders())


def stops_first_sync(fault: Fault) -> bool:
    """Return whether a warning is of a placeholder with which the first sync never ends."""
    return any(each.consequence and each.is_told_by(fault) for each in placeholders())


def _matches(path: FieldPath, pattern: list[str]) -> bool:
    return len(path) == len(pattern) and all(
        expected in (_ANY, step) for step, expected in zip(path, pattern, strict=True)
    )


def _at(content: Any, pattern: list[str]) -> Iterator[tuple[FieldPath, Any]]:
    """Yield all that stands at a pattern, each with its path."""
    if not pattern:
        yield (), content
        return
    inside: dict[Any, Any] = content if isinstance(content, dict) else {}
    if isinstance(content, list):
        inside = dict(enumerate(content))
    for step in inside if pattern[0] == _ANY else inside.keys() & {pattern[0]}:
        for path, value in _at(inside[step], pattern[1:]):
            yield (step, *path), value
