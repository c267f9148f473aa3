"""Every image of rendered versions, where it is from, and where its copy belongs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.registry_mirrors import RegistryMirrors
from gpuplane.images.chart_images import InstalledChart, UnknownChart, installed_charts
from gpuplane.images.object_images import images_of
from gpuplane.images.policy_images import is_cluster_policy, policy_images
from gpuplane.versions.dist_error import unknown
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from gpuplane.versions.tree import Tree, is_manifest
from policies.image import read_image

_Places: TypeAlias = tuple[str, str, str | None]
"""The name of an image, what it is a copy of, and its place in a mirror."""

NODE_OS = "NODE_OS"
"""Stands in a tag for the operating system of the nodes, such as `ubuntu24.04`."""


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """Which images to list."""

    clusters: Path
    """Folder of the cluster files."""
    dist: Path
    names: tuple[str, ...] = ()
    """Clusters; empty: all of them."""
    version: str | None = None
    """By default what each cluster file renders."""
    node_systems: tuple[str, ...] = ()
    """Operating systems of nodes, for which drivers have an image each."""


@dataclass(frozen=True, slots=True)
class ListedImage:
    """An image of one version or several."""

    name: str
    """As pods pull it."""
    original: str
    """Where its project, or whoever builds it, publishes it."""
    mirrored: str | None
    """Its place in a mirror, by today's cluster file; None without one."""
    used_by: tuple[str, ...]
    """Components, each as `cluster/component`."""

    @property
    def digest(self) -> str | None:
        """The digest that its name has; None where it names a tag alone."""
        return read_image(self.name).digest or None


@dataclass(frozen=True, slots=True)
class ImageList:
    """The images of the versions that were asked for."""

    images: tuple[ListedImage, ...]
    """Sorted by name."""
    unknown_charts: tuple[UnknownChart, ...]
    """Charts whose images are missing in the list."""


@dataclass(frozen=True, slots=True)
class _Use:
    """An image, and the component that runs it."""

    name: str
    component: str


def list_images(request: ImageRequest) -> ImageList:
    """Return the images of the chosen clusters, each once.

    Raises SpecError where a cluster file is wrong, DistError for a cluster or a version that is not
    there, and for a version that is not as it was rendered.
    """
    files = find_cluster_files(request.clusters)
    users: dict[_Places, set[str]] = defaultdict(set)
    unknown_charts: set[UnknownChart] = set()
    for file in _chosen(files.clusters, request.names):
        mirrors = load_platform(file, files.fleet).mirrors
        for use in _uses(file.stem, request):
            if isinstance(use, UnknownChart):
                unknown_charts.add(use)
            else:
                users[_places(use.name, mirrors)].add(f"{file.stem}/{use.component}")
    images = (ListedImage(*places, tuple(sorted(by))) for places, by in users.items())
    return ImageList(
        tuple(sorted(images, key=lambda image: image.name)), tuple(sorted(unknown_charts))
    )


def _chosen(files: Iterable[Path], names: tuple[str, ...]) -> tuple[Path, ...]:
    by_name = {file.stem: file for file in files}
    for name in names:
        if name not in by_name:
            raise unknown("cluster", name, by_name)
    return tuple(by_name[name] for name in names or by_name)


def _uses(cluster: str, request: ImageRequest) -> Iterator[_Use | UnknownChart]:
    snapshot = ClusterSnapshot(WorkTree(), request.clusters, request.dist, cluster)
    version = request.version or snapshot.declared.version
    for component, document in _documents(snapshot.tree(version)):
        yield from _uses_of_object(document, component, request.node_systems)
        for chart in installed_charts(document):
            release = chart.application.removeprefix(f"{cluster}-")
            yield from _uses_of_chart(chart, release, request.node_systems)


def _uses_of_object(
    document: Document, component: str, node_systems: tuple[str, ...]
) -> Iterator[_Use]:
    if not is_cluster_policy(document):
        yield from (_Use(name, component) for name in images_of(document))
        return
    for image in policy_images(document):
        names = _tagged(image.name, node_systems) if image.has_os_tag else (image.name,)
        yield from (_Use(name, component) for name in names)


def _tagged(name: str, node_systems: tuple[str, ...]) -> Iterator[str]:
    """Yield the images of the operating systems of nodes."""
    for system in node_systems or (NODE_OS,):
        yield f"{name}-{system}"


def _uses_of_chart(
    chart: InstalledChart, component: str, node_systems: tuple[str, ...]
) -> Iterator[_Use | UnknownChart]:
    images = chart.images()
    if isinstance(images, UnknownChart):
        yield images
        return
    for image, name in images:
        names = _tagged(name, node_systems) if image.has_os_tag else (name,)
        yield from (_Use(each, component) for each in names)


def _documents(tree: Tree) -> Iterator[tuple[str, Document]]:
    """Yield the objects of a version, each with the folder of its component."""
    for path, content in tree.items():
        if is_manifest(path):
            for document in from_yaml(content.decode()):
                yield path.partition("/")[0], document


def _places(name: str, mirrors: RegistryMirrors) -> _Places:
    if (original := mirrors.original(name)) is not None:
        return name, original, name
    mirrored = mirrors.of(name)
    return name, name, None if mirrored == name else mirrored
