"""Manifests beside the versions of a cluster, which a person could take for rendered ones."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.cluster_file.folder_entry import is_passed_over
from gpuplane.versions.record import record_files
from gpuplane.versions.rendering import RenderedCluster

_SUFFIXES = (".json", ".yaml", ".yml")
"""Of the files that kubectl and Argo CD apply of a folder."""


def strays(dist: Path, rendered: Iterable[RenderedCluster]) -> Iterator[str]:
    """Yield the files in the folders of these clusters, and the folders, that are of no version.

    Argo CD syncs none of them, but `kubectl apply --recursive` would.
    """
    for cluster in rendered:
        folder = dist / cluster.record.cluster
        known = {*record_files(dist, folder.name), cluster.record.version, *cluster.pinned}
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name not in known and not is_passed_over(path.name) and _has_manifests(path):
                yield f"{path.relative_to(dist).as_posix()}{'/' if path.is_dir() else ''}"


def _has_manifests(path: Path) -> bool:
    files = path.rglob("*") if path.is_dir() else (path,)
    return any(file.suffix in _SUFFIXES and file.is_file() for file in files)
