"""The parts of a container image's name.

Source: `ParseNormalizedNamed` in https://github.com/distribution/reference/blob/main/normalize.go
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

DEFAULT_REGISTRY = "docker.io"
OFFICIAL = "library"
_MAX_CACHED_LENGTH = 512
"""Characters; longer names are not images, and are not cached so that they fill no memory."""


@dataclass(frozen=True, slots=True)
class Image:
    """The parts of a container image's name."""

    repository: str
    """Registry and path, in full: `docker.io/library/nginx` for `nginx`."""
    tag: str
    digest: str


def read_image(name: str) -> Image:
    """Split the name of an image."""
    return _read(name) if len(name) <= _MAX_CACHED_LENGTH else _split(name)


def _split(name: str) -> Image:
    rest, _, digest = name.partition("@")
    path, colon, tag = rest.rpartition(":")
    # A colon before the last slash belongs to the registry's port.
    if not colon or "/" in tag:
        path, tag = rest, ""
    return Image(_with_registry(path), tag, digest)


_read = lru_cache(maxsize=1024)(_split)


def _with_registry(path: str) -> str:
    first, slash, _ = path.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return path
    return f"{DEFAULT_REGISTRY}/{path}" if slash else f"{DEFAULT_REGISTRY}/{OFFICIAL}/{path}"
