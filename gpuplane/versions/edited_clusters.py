"""Cluster files that are not what their versions were rendered from."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import spec_digest
from gpuplane.versions.record import RECORD_FILE, read_record_file


def edited_clusters(platforms: Iterable[Platform], dist: Path) -> Iterator[str]:
    """Yield the names of these clusters, and of those whose version is not rendered yet."""
    for platform in platforms:
        file = dist / platform.name / platform.cluster.version / RECORD_FILE
        record = read_record_file(file) if file.is_file() else None
        if record is None or record.spec_digest != spec_digest(platform):
            yield platform.name


def edited_line(name: str) -> str:
    return f"clusters/{name}.yaml was edited since it was rendered: run gpuplane synth {name}"
