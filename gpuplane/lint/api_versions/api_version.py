"""What is known of versions of APIs, by object."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

VersionedKind = tuple[str, str]
"""The `apiVersion` and the `kind` of an object."""


@dataclass(frozen=True, slots=True)
class CoreVersion:
    """A version of some kinds of Kubernetes itself; minors are such as `1.36`."""

    api_version: str
    kinds: tuple[str, ...]
    source: str
    """URL of who says so."""
    introduced: str = ""
    """The minor with which it came, where a supported one lacks it."""
    deprecated: str = ""
    """The minor from which the API server warns of it."""
    removed: str = ""
    """The minor from which it is not served."""
    replacement: str = ""
    """The `apiVersion` to take instead; empty where there is none."""
    same_fields: bool = False
    """Whether the replacement takes every object as it is, and means the same by it."""


class CustomState(StrEnum):
    """What has become of a version of custom resources."""

    DEPRECATED = "deprecated"
    EXPERIMENTAL = "experimental"
    """Only the definitions of the experimental channel serve it."""
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class CustomVersion:
    """A version of some kinds of custom resources."""

    api_version: str
    kinds: tuple[str, ...]
    project: str
    """Who serves them, with the release that this one installs or is tested against."""
    state: CustomState
    replacement: str
    """The `apiVersion` to take instead, and the kind where that is another."""
    source: str
    """URL of who says so."""


@cache
def core_versions() -> Mapping[VersionedKind, CoreVersion]:
    """Return what is known of versions of Kubernetes itself."""
    return _by_kind(CoreVersion(**row) for row in _rows("kubernetes"))


@cache
def custom_versions() -> Mapping[VersionedKind, CustomVersion]:
    """Return what is known of versions of custom resources."""
    rows = _rows("custom_resources")
    return _by_kind(CustomVersion(**row | {"state": CustomState(row["state"])}) for row in rows)


def _rows(table: str) -> list[dict[str, Any]]:
    text = (files(__package__) / f"{table}.toml").read_text(encoding="utf-8")
    return [row | {"kinds": tuple(row["kinds"])} for row in tomllib.loads(text)["version"]]


def _by_kind(
    versions: Iterable[CoreVersion | CustomVersion],
) -> dict[VersionedKind, Any]:
    return {(each.api_version, kind): each for each in versions for kind in each.kinds}
