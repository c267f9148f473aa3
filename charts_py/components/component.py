"""A part of the platform that Argo CD syncs as one Application."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from upstream.lock import LockedFile, LockedFolder, locked_folder

if TYPE_CHECKING:
    from constructs import Construct

    from charts_py.objects.document import Document, EmittedKind
    from charts_py.platform.wave import Wave


@dataclass(frozen=True, slots=True)
class HelmRelease:
    """A pinned chart and the values that the cluster file decides."""

    repository: str
    chart: str
    version: str
    """Version of the chart, or tag of a repository in git."""
    values: Mapping[str, Any]
    kinds: tuple[EmittedKind, ...]
    """Every kind that the chart renders with such values; the AppProject allows those of objects
    that live in no namespace."""
    name: str | None = None
    """Name of the release; None for that of the component."""
    path: str | None = None
    """Folder of the chart where the repository is one in git; None for a Helm repository."""
    ignore_differences: tuple[Mapping[str, Any], ...] = ()
    """Fields that the API server is known to fill in, as Argo CD's `ignoreDifferences` lists."""
    skips_definitions: bool = False
    """Whether the chart's CustomResourceDefinitions are left out."""
    other_namespaces: tuple[str, ...] = ()
    """Namespaces in which it has objects besides its own."""


@dataclass(frozen=True, slots=True)
class PinnedManifests:
    """Files of objects in a folder of somebody else's repository, at a pinned commit."""

    folder: str
    """The folder of the pinned files in a mirror (`upstream/lock.yaml`)."""
    files: tuple[str, ...]
    """Names of those that are synced."""
    kinds: tuple[EmittedKind, ...]
    """Every kind that they hold."""

    @property
    def pinned(self) -> LockedFolder:
        """The pin; raise UpstreamError where there is none."""
        return locked_folder(self.folder)

    @property
    def locked(self) -> tuple[LockedFile, ...]:
        by_name = {PurePosixPath(each.file).name: each for each in self.pinned.files}
        return tuple(by_name[name] for name in self.files)

    @property
    def repository(self) -> str:
        return f"https://github.com/{self.pinned.repository}"


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the platform that Argo CD syncs as one Application.

    It either stands as files in its own folder, or is a Helm release or manifests of others, which
    the cluster file may have rendered into such a folder.
    """

    name: str
    """Name of its folder, and of its Application behind the cluster's."""
    wave: Wave
    namespace: str
    """Namespace of the objects that name none."""
    objects: Callable[[], Iterable[Document]] | None = None
    """Returns what stands in its folder."""
    construct: Callable[[Construct], object] | None = None
    """Adds what stands in its folder, where that is a cluster's own construct."""
    helm: HelmRelease | None = None
    manifests: PinnedManifests | None = None
    ignore_differences: tuple[Mapping[str, Any], ...] = ()
    """Fields of its own objects that the API server is known to fill in."""
    when_too_large: str = ""
    """What to do where one of its objects is too large for an API server."""
    is_removed_last: bool = False
    """Whether all else is synced before it is removed: a person has to confirm that first."""
    is_synced: bool = True
    """Whether Argo CD syncs its folder; else a person applies it, with a tool of its own."""
