"""Cluster files that are not what their versions were rendered from."""

import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import spec_digest
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import RECORD_FILE, is_prerelease, read_record_file

_MAX_NAMED = 3


def edited_clusters(platforms: Iterable[Platform], dist: Path) -> Iterator[str]:
    """Yield the names of these clusters, and of those whose version is not rendered yet."""
    for platform in platforms:
        file = dist / platform.name / platform.cluster.version / RECORD_FILE
        record = read_record_file(file) if file.is_file() else None
        if record is None or record.spec_digest != spec_digest(platform):
            yield platform.name


def of_released_version(platforms: Iterable[Platform], main_branch: MainBranch) -> Iterator[str]:
    """Yield the names of those whose version is released, and so cannot change."""
    for platform in platforms:
        name, version = platform.name, platform.cluster.version
        if not is_prerelease(version) and main_branch.record(name, version) is not None:
            yield name


def rendered_here_lines(edited: Iterable[str], cut: Collection[str]) -> Iterator[str]:
    """Yield that these clusters are shown as they would be rendered, or have a version cut."""
    if names := tuple(name for name in edited if name not in cut):
        yield f"{edited_line(names, 'this is what', 'synth')} would change"
    if names := tuple(cut):
        versions = "its version is" if len(names) == 1 else "their versions are"
        yield f"{edited_line(names, 'this is what', 'release')} would cut, as {versions} released"


def edited_line(names: Sequence[str], before: str, command: str) -> str:
    """Return a sentence about clusters that `edited_clusters` yields, with the command for them."""
    if len(names) > _MAX_NAMED:
        subject = f"{len(names)} clusters are"
        words = ["gpuplane", command, *(["--edited"] if command == "release" else [])]
    else:
        subject = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'}"
        words = ["gpuplane", command, *names]
    pronoun = "it" if len(names) == 1 else "them"
    return f"{subject} not rendered as clusters/ has {pronoun} now: {before} {shlex.join(words)}"
