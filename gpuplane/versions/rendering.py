"""One cluster rendered into the files of its version; the unit of work of a synth."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

from charts_py.argocd.permissions import Permissions
from charts_py.argocd.pinned_files import LIVE_APPLICATION, PROJECT, ROOT_APPLICATION
from charts_py.cluster_file.fault import Mark
from charts_py.cluster_file.source import Source, read_source
from charts_py.components.registry import component_warnings
from charts_py.constructs.render import render
from charts_py.load import platform_of, read_fleet
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.tool_version import tool_version
from charts_py.rendering.fleet import FleetMember, fleet_member
from charts_py.rendering.other_versions import ALONE, OtherVersions
from charts_py.rendering.rendering import files_of
from charts_py.warnings import find_warnings
from charts_py.warnings.cluster_warning import ClusterWarning
from gpuplane.versions.pinned_crds import pinned_crds
from gpuplane.versions.record import ReleaseRecord, digest, read_record_file, record_files
from gpuplane.versions.shared_fields import shared_fields


@dataclass(frozen=True, slots=True)
class RenderedCluster:
    """One cluster rendered into files."""

    record: ReleaseRecord
    live: str | None
    """The version that Argo CD syncs; None where it syncs none."""
    source: str
    """The cluster file, as errors show it."""
    live_mark: Mark
    """Where its file names the live version."""
    files: Mapping[str, bytes]
    """Content by path below the version's folder, without the record."""
    pinned: Mapping[str, bytes | None]
    """Content of the files beside the version folders; None of what is not to be there."""
    fleet_member: FleetMember
    warnings: tuple[ClusterWarning, ...]
    """Those about its file, each with the day from which it holds."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a cluster is rendered from, beside its own file."""

    fleet: Path | None
    """The file of what all clusters share."""
    dist: Path
    """Where its other versions stand."""
    mirror: Path | None = None
    """Folder of the pinned files, from which charts are rendered; None where there is none."""
    without: Collection[str] = ()
    """Versions of a cluster that stand there, and count no more."""


def render_cluster(file: Path, sources: Sources) -> RenderedCluster:
    """Read one cluster file and render it; raise SpecError, RenderError or DistError.

    Raises UpstreamError where the charts of the cluster are to be rendered and cannot be.
    """
    return render_source(file, read_source(file, str(file)), sources)


def render_source(file: Path, own: Source, sources: Sources) -> RenderedCluster:
    """Render what was read of a cluster file; raise what `render_cluster` does."""
    fleet = read_fleet(sources.fleet)
    platform = platform_of(file, own, fleet)
    without = {platform.cluster.version, *sources.without}
    others = _other_versions(sources.dist, platform.name, without)
    return render_platform(platform, str(file), others, sources.mirror, shared_fields(fleet))


def _other_versions(dist: Path, cluster: str, without: Collection[str]) -> OtherVersions:
    """Return what matters of the versions of a cluster that stand beside those left out."""
    files = record_files(dist, cluster).items()
    recorded = [read_record_file(file).permissions for other, file in files if other not in without]
    known = (each for each in recorded if each is not None)
    return OtherVersions(reduce(or_, known, Permissions()), None in recorded)


def render_platform(
    platform: Platform,
    source: str,
    others: OtherVersions = ALONE,
    mirror: Path | None = None,
    shared: Mapping[str, str] | None = None,
) -> RenderedCluster:
    """Render what was read from the file `source`; raise RenderError or UpstreamError.

    `shared` are the digests of the fields that it shares with other clusters.
    """
    rendering = render(platform, others, mirror=mirror)
    files = files_of(rendering.folders)
    record = ReleaseRecord(
        cluster=platform.name,
        version=platform.cluster.version,
        kubernetes=platform.cluster.kubernetes.value,
        tool_version=tool_version(),
        spec_digest=rendering.spec_digest,
        charts=rendering.charts,
        crds=pinned_crds(rendering.folders.values()),
        permissions=rendering.permissions,
        files={path: digest(content) for path, content in files.items()},
        shared=shared,
    )
    live = rendering.live_application
    return RenderedCluster(
        record=record,
        live=platform.live if platform.is_live else None,
        source=source,
        live_mark=platform.mark(("live",)),
        files=files,
        pinned={
            ROOT_APPLICATION: to_yaml(rendering.root_application).encode(),
            LIVE_APPLICATION: None if live is None else to_yaml(live).encode(),
            PROJECT: to_yaml(rendering.project).encode(),
        },
        fleet_member=fleet_member(platform),
        warnings=(*find_warnings(platform), *map(ClusterWarning, component_warnings(platform))),
    )
