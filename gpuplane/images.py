"""The images that rendered versions run, those of charts and operators too, and their mirrors."""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.gitops import DIGEST, PART, REGISTRY, TAG
from charts_py.components.amd_gpu_operator import INIT_IMAGE
from charts_py.components.chart import ChartImage, known_chart, named_images, value_at
from charts_py.components.inference_pools import IMAGES_OF_TEAMS, INFERENCE_POOLS
from charts_py.components.registry import DEFINITIONS
from charts_py.load import load_platform
from charts_py.objects.document import Document, key_of
from charts_py.platform.registry_mirrors import RegistryMirrors
from gpuplane.versions.check import selected_clusters
from gpuplane.versions.comparison import VersionReader
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree
from policies.image import read_image
from upstream.lock import locked_chart

COPY_TOOLS = {
    "skopeo": "skopeo copy --all --preserve-digests docker://{} docker://{}",
    "oras": "oras cp {} {}",
    "crane": "crane copy {} {}",
}
"""The command of each program that copies an image to another place."""
_CLUSTER_POLICY = ("nvidia.com", "ClusterPolicy")
_IMAGE = re.compile(rf"({REGISTRY}/)?{PART}(/{PART})*(:{TAG})?(@{DIGEST})?")
_IMAGE_OPTION = re.compile(rf"--(?:[a-z0-9]+-)*image=({_IMAGE.pattern})")
_SWITCHES = ("enabled", "enable")
_Places: TypeAlias = tuple[str, str, str | None]
"""The name of an image, what it is a copy of, and its place in a mirror."""
NODE_OS = "NODE_OS"
"""Stands in a tag for the operating system of the nodes, such as `ubuntu24.04`."""


@dataclass(frozen=True, slots=True)
class NamedImage:
    name: str
    has_os_tag: bool = False
    """Whether an operator adds the operating system of the nodes to the tag."""

    def names(self, node_systems: tuple[str, ...]) -> tuple[str, ...]:
        if not self.has_os_tag:
            return (self.name,)
        return tuple(f"{self.name}-{system}" for system in node_systems or (NODE_OS,))


@dataclass(frozen=True, slots=True, order=True)
class UnknownChart:
    """A chart whose images are not known: another one, or of another version, than is pinned."""

    application: str
    name: str
    """Name of the chart, or folder of a chart in git."""
    version: str
    repository: str

    def __str__(self) -> str:
        pins = (f"{name} {locked_chart(name).chart_version}" for name in sorted(pinned_images()))
        return (
            f"{self.application}: the images of the chart {self.name} {self.version} of "
            f"{self.repository} are not known; known are those of {', '.join(pins)}"
        )


@dataclass(frozen=True, slots=True)
class InstalledChart:
    application: str
    name: str
    version: str
    repository: str
    values: Mapping[str, Any]

    def images(self) -> Iterator[NamedImage | UnknownChart]:
        """Yield the images that run with its values; else what is unknown."""
        images = pinned_images().get(self.name)
        if images is None or locked_chart(self.name).chart_version != self.version:
            yield UnknownChart(self.application, self.name, self.version, self.repository)
            return
        for image, name in named_images(self.values, images):
            yield NamedImage(name, image.has_os_tag)


def pinned_images() -> Mapping[str, tuple[ChartImage, ...]]:
    return {chart.name: chart.images for each in DEFINITIONS for chart in each.charts}


@dataclass(frozen=True, slots=True)
class ListedImage:
    name: str
    """The name by which pods pull it."""
    original: str
    """The name under which its project, or whoever builds it, publishes it."""
    mirrored: str | None
    """Its place in a mirror, by today's cluster file; None without one."""
    used_by: tuple[str, ...]
    """Components, each as `cluster/component`."""

    @property
    def digest(self) -> str | None:
        return read_image(self.name).digest or None


@dataclass(frozen=True, slots=True)
class ImageList:
    """The images of the versions that were asked for, sorted by name."""

    images: tuple[ListedImage, ...]
    unknown_charts: tuple[UnknownChart, ...]
    """Charts whose images are missing in the list."""


def list_images(
    clusters: Path,
    dist: Path,
    names: Sequence[str] = (),
    version: str | None = None,
    node_systems: tuple[str, ...] = (),
) -> ImageList:
    """Return the images of the chosen clusters, each once; drivers have one for each system.

    The version is by default the one that each cluster file renders.

    Raises SpecError where a cluster file is wrong, RenderError for an unknown cluster, and
    DistError for a version that is not there or not as it was rendered.
    """
    files = find_cluster_files(clusters)
    users: dict[_Places, set[str]] = defaultdict(set)
    unknown_charts: set[UnknownChart] = set()
    for file in selected_clusters(files, names):
        mirrors = load_platform(file, files.fleet).mirrors
        snapshot = ClusterSnapshot(WorkTree(), clusters, dist, file.stem)
        for component, image in _images_of(snapshot, version or snapshot.declared.version, mirrors):
            if isinstance(image, UnknownChart):
                unknown_charts.add(image)
                continue
            for name in image.names(node_systems):
                users[_places(name, mirrors)].add(f"{file.stem}/{component}")
    images = (ListedImage(*places, tuple(sorted(by))) for places, by in users.items())
    return ImageList(
        tuple(sorted(images, key=lambda image: image.name)), tuple(sorted(unknown_charts))
    )


def _images_of(
    snapshot: ClusterSnapshot, version: str | None, mirrors: RegistryMirrors
) -> Iterator[tuple[str, NamedImage | UnknownChart]]:
    name = partial(snapshot.file_name, version)
    for placed, document in VersionReader().objects_of(snapshot.tree(version), name).items():
        if placed.component == INFERENCE_POOLS:
            yield from ((INFERENCE_POOLS, NamedImage(mirrors.of(one))) for one in IMAGES_OF_TEAMS)
        for image in named_by(document):
            yield placed.component, image
        for chart in installed_charts(document):
            release = chart.application.removeprefix(f"{snapshot.name}-")
            yield from ((release, image) for image in chart.images())


def _places(name: str, mirrors: RegistryMirrors) -> _Places:
    if (original := mirrors.original(name)) is not None:
        return name, original, name
    mirrored = mirrors.of(name)
    return name, name, None if mirrored == name else mirrored


def copy_command(tool: str, original: str, mirrored: str) -> str:
    """Return the command that copies an image to its place in a mirror, with all platforms.

    One with a digest is read by that; it is written by its tag, where it has one, as no program
    writes to both.
    https://github.com/containers/skopeo/blob/main/docs/skopeo-copy.1.md,
    https://oras.land/docs/commands/oras_cp and
    https://github.com/google/go-containerregistry/blob/main/cmd/crane/doc/crane_copy.md
    """
    image = read_image(original)
    read_from = f"{image.repository}@{image.digest}" if image.digest else original
    written_to = mirrored.partition("@")[0] if read_image(mirrored).tag else mirrored
    return COPY_TOOLS[tool].format(shlex.quote(read_from), shlex.quote(written_to))


def installed_charts(document: Document) -> Iterator[InstalledChart]:
    """Yield the charts that an Application of Argo CD installs; none for any other object."""
    if document["kind"] != "Application":
        return
    spec = document["spec"]
    for source in (*spec.get("sources", ()), *([spec["source"]] if "source" in spec else ())):
        if "chart" in source or "helm" in source:
            yield InstalledChart(
                application=document["metadata"]["name"],
                name=source.get("chart") or source.get("path", "").rpartition("/")[2],
                version=str(source.get("targetRevision", "")),
                repository=source["repoURL"],
                values=source.get("helm", {}).get("valuesObject", {}),
            )


def named_by(document: Document) -> Iterator[NamedImage]:
    """Yield the images that an object names and that run."""
    key = key_of(document)
    # Kyverno has a kind of the same name.
    if (key.group, key.kind) == _CLUSTER_POLICY:
        return _policy_images(document)
    return map(NamedImage, images_of(document))


def _policy_images(document: Document) -> Iterator[NamedImage]:
    """Yield those that run; its sections are those of the chart's values, with the same switches.

    https://github.com/NVIDIA/gpu-operator (deployments/gpu-operator/templates/clusterpolicy.yaml at
    v26.7.0)
    """
    spec = document["spec"]
    known = [
        image
        for image in known_chart("gpu-operator").images
        if value_at(spec, ".".join(image.repository_path), None) is not None
    ]
    for name in images_of(document):
        meant = [image for image in known if image.reference(spec) == name]
        running = [image for image in meant if image.runs(spec)]
        if running or not meant:
            yield NamedImage(name, any(image.has_os_tag for image in running))


def images_of(document: Document) -> Iterator[str]:
    """Yield the images that an object names, some maybe twice.

    These are those of containers and image volumes, of variables and of options, such as
    `--acme-http01-solver-image=NAME`, that tell an operator what to run, of fields such as
    `devicePluginImage`, and of sections with repository, image and version, as in NVIDIA's
    ClusterPolicy and NicClusterPolicy, or repository, name and tag, as in KAI's Config, or
    registry, repository and tag, as in AgentgatewayParameters. Sections that are switched off run
    nothing.
    """
    if document["kind"] == "CustomResourceDefinition":
        return
    yield from _named(document)
    if document["kind"] == "DeviceConfig":
        # Without a mirror it is left to the operator.
        common = document["spec"].get("commonConfig", {})
        yield from () if "initContainerImage" in common else (INIT_IMAGE,)


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _named(item)
    elif isinstance(value, str) and (option := _IMAGE_OPTION.fullmatch(value)):
        yield option[1]
    elif isinstance(value, dict) and not any(value.get(key) is False for key in _SWITCHES):
        yield from (name for name in _own(value) if _IMAGE.fullmatch(name))
        for inner in value.values():
            yield from _named(inner)


def _own(section: Mapping[str, Any]) -> Iterator[str]:
    if repository := section.get("repository"):
        version = str(section.get("version", ""))
        separator = "@" if version.startswith("sha256:") else ":"
        if "image" in section and version:
            yield f"{repository}/{section['image']}{separator}{version}"
        if "name" in section and "tag" in section:
            yield f"{repository}/{section['name']}:{section['tag']}"
        if "registry" in section and "tag" in section:
            yield f"{section['registry']}/{repository}:{section['tag']}"
        return
    for key, value in section.items():
        if isinstance(value, str) and (key == "image" or key.endswith("Image")):
            yield value
    if isinstance(section.get("image"), dict):
        yield str(section["image"].get("reference", ""))
    if str(section.get("name", "")).endswith("_IMAGE"):
        yield str(section.get("value", ""))
