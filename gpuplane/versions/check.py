"""Paths that may stand in `dist/`; others are reported, so that no synth replaces them."""

import os
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from charts_py.cluster_file.cluster_files import (
    FLEET_FOLDER,
    SUFFIX,
    ClusterFiles,
    find_cluster_files,
    is_passed_over,
    list_cluster_files,
)
from charts_py.cluster_file.fault import RenderError, SpecError
from charts_py.cluster_file.other_names import unknown_name
from charts_py.load import load_platforms
from charts_py.platform.platform import Platform
from gpuplane.versions.swap import settled_paths, unfinished
from gpuplane.versions.tree import DistError, Entry, holds_files


def check_dist(dist: Path) -> None:
    """Raise DistError, a line for each, where a file or a link stands in the place of a folder.

    And where a folder cannot be read, which would otherwise be taken for an empty one.
    """
    try:
        _raise(tuple(_misplaced(dist)))
    except PermissionError as error:
        raise DistError(f"{error.filename}: cannot be read: permission denied") from error


def check_left_over(dist: Path, clusters: Path, names: Collection[str]) -> None:
    """Raise DistError, a line for each, for the folders of clusters that have no file.

    A file can be gone by mistake, so that what it rendered, released versions included, goes only
    where somebody asks for it.
    """
    problems = []
    for name in rendered_names(dist):
        if name not in names:
            file = clusters / f"{name}{SUFFIX}"
            problems.append(
                f"{dist / name}: {file} is gone, and what it rendered stays; "
                f"restore {file}, or ask for both to go: gpuplane remove {shlex.quote(name)}"
            )
    _raise(problems)


def check_kinds(dist: Path, entries: Mapping[str, Entry]) -> None:
    """Raise DistError, a line for each, where a file is to be a folder, or a folder a file."""
    problems = []
    for path, entry in ((dist / name, entry) for name, entry in entries.items()):
        if isinstance(entry, bytes) and path.is_dir():
            problems.append(f"{path}: is a folder; allowed: the file of that name; move it")
        elif isinstance(entry, Mapping) and path.is_file():
            problems.append(f"{path}: is a file; allowed: the folder of that version; move it")
    _raise(problems)


def is_without_clusters(clusters: Path, dist: Path) -> bool:
    return (
        clusters.is_dir() and not list_cluster_files(clusters).clusters and not rendered_names(dist)
    )


def rendered_names(dist: Path) -> tuple[str, ...]:
    """Return the names of the clusters that `dist` holds files of, sorted."""
    folders = (path for path in settled_paths(dist) if path.is_dir() and path.name != FLEET_FOLDER)
    # Git does not hold folders, so that one without files is left behind by many of its commands.
    return tuple(path.name for path in folders if holds_files(path))


def _raise(problems: Collection[str]) -> None:
    if problems:
        raise DistError("\n".join(problems))


def _misplaced(dist: Path) -> Iterator[str]:
    if dist.is_file() and not dist.is_symlink():
        yield f"{dist}: is a file; allowed: a folder, which gpuplane synth makes"
        return
    for path in [dist] if dist.is_symlink() else sorted(_links(dist)):
        yield (
            f"{path}: is a link to {path.readlink()}; allowed: files and folders of their own, "
            "since git holds of a link only where it leads"
        )
    if dist.is_symlink():
        return
    for aside in unfinished(dist):
        yield (
            f"{aside}: what a gpuplane that was killed, or still runs, has taken out of {dist}; "
            f"move it back, or restore {dist} from git and delete {aside.parent}"
        )
    for path in settled_paths(dist):
        if path.is_file() and not path.is_symlink() and not is_passed_over(path.name):
            yield f"{path}: is a file; allowed: folders of clusters, and {FLEET_FOLDER}; move it"


def _links(folder: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise error

    for directory, folders, files in os.walk(folder, onerror=refuse):
        paths = (Path(directory, name) for name in (*folders, *files))
        yield from (path for path in paths if path.is_symlink())


def selected_clusters(files: ClusterFiles, names: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of these clusters, or all without names; raise RenderError for others."""
    by_name = {file.stem: file for file in files.clusters}
    for name in (name for name in names if name not in by_name):
        raise RenderError(unknown_name("cluster", name, by_name))
    return tuple(by_name[name] for name in names) or files.clusters


def selected_platforms(clusters: Path, names: Sequence[str]) -> tuple[Platform, ...]:
    """Load the clusters of a folder that the names select, or all without names.

    Raises SpecError with every fault, and RenderError for an unknown name.
    """
    files = find_cluster_files(clusters)
    return load_platforms(ClusterFiles(files.fleet, selected_clusters(files, names)))


def readable_platforms(clusters: Path, names: Sequence[str]) -> tuple[Platform, ...]:
    """Return what `selected_platforms` does; none where that raises, as others report why."""
    try:
        return selected_platforms(clusters, names)
    except (FileNotFoundError, RenderError, SpecError):
        return ()
