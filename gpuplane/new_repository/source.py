"""Where a new repository gets gpuplane from.

Never by its name alone: whoever publishes that name in a package index would be installed.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

WHEEL_FOLDER = "vendor"
"""Folder of a repository that holds the wheel, where it has one."""


@dataclass(frozen=True, slots=True)
class Source:
    """One content of gpuplane, and no other that may stand there later."""

    requirement: str
    """What pip installs: a requirement with a sha256, or with a commit of git."""
    description: str
    """The same for people, as the end of a sentence."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What the repository itself holds of it: content by path."""


def vendored_wheel(name: str, content: bytes) -> Source:
    """Return a wheel that the repository holds, called `name`."""
    path, sha256 = f"{WHEEL_FOLDER}/{name}", hashlib.sha256(content).hexdigest()
    return Source(
        requirement=f"./{path} --hash=sha256:{sha256}",
        description=f"the wheel `{path}` in this repository, if its sha256 is `{sha256}`",
        files={path: content},
    )


def wheel_at(address: str, sha256: str) -> Source:
    """Return a wheel that is downloaded from an address by https."""
    return Source(
        requirement=f"gpuplane @ {address} --hash=sha256:{sha256}",
        description=f"<{address}>, if its sha256 is `{sha256}`",
    )


def git_commit(repository: str, commit: str, tag: str | None = None) -> Source:
    """Return a commit of a repository; the tag that it had is for people alone."""
    comment = f"# {tag}\n" if tag else ""
    called = f", which was called `{tag}`," if tag else ""
    return Source(
        requirement=f"{comment}gpuplane @ git+{repository}@{commit}",
        description=f"the commit `{commit}`{called} of <{repository}>",
    )
