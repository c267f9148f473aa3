"""The platform repository that a command works on, and its folders."""

import os
from dataclasses import dataclass
from pathlib import Path

import typer

CLUSTERS, DIST, CHANGELOGS = "clusters", "dist", "changelogs"


@dataclass(frozen=True, slots=True)
class PlatformRepository:
    """A folder with cluster files and what they render."""

    directory: Path

    @property
    def clusters(self) -> Path:
        return self.directory / CLUSTERS

    @property
    def dist(self) -> Path:
        return self.directory / DIST

    @property
    def changelogs(self) -> Path:
        return self.directory / CHANGELOGS


def repository_of(context: typer.Context) -> PlatformRepository:
    """Return the repository that the global option names, or its default.

    Raises FileNotFoundError where there is none.
    """
    directory = context.obj
    assert isinstance(directory, Path)  # noqa: S101 # the application's callback sets it
    return find_repository(directory)


def find_repository(directory: Path) -> PlatformRepository:
    """Return the repository that a folder is, or lies in: the nearest with `clusters/`.

    It is looked for upwards, and not beyond the folder of the nearest `.git`. Its path is absolute
    where the folder's is, and otherwise relative to the working directory, as messages show it.
    Raises FileNotFoundError where there is none.
    """
    if not directory.is_dir():
        what = "is a file" if directory.exists() else "no such folder"
        raise FileNotFoundError(f"{directory}: {what}; allowed: a platform repository, or in one")
    if _is_repository(directory) or (directory / DIST).is_dir():
        return PlatformRepository(directory)
    for above in _above(directory):
        if _is_repository(above):
            shown = above if directory.is_absolute() else Path(os.path.relpath(above))
            return PlatformRepository(shown)
    raise FileNotFoundError(
        f"{directory.resolve()}: no {CLUSTERS}/ here or above, so this is not a platform "
        "repository; name one with -C, or make one: gpuplane init"
    )


def _is_repository(folder: Path) -> bool:
    # A link that leads nowhere is one too: what is wrong with it is reported where it is read.
    return os.path.lexists(folder / CLUSTERS)


def _above(directory: Path) -> tuple[Path, ...]:
    """Return the folders above, nearest first, up to the folder of the nearest `.git`."""
    from charts_py.cluster_file.cluster_files import checkout_folder

    real = directory.resolve()
    checkout = checkout_folder(real) or Path(real.anchor)
    return tuple(one for one in real.parents if one.is_relative_to(checkout))
