"""Rendering clusters, each into the files of its version, on all processors."""

import json
import multiprocessing
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from charts_py.argocd.application import LIVE_APPLICATION, PROJECT, ROOT_APPLICATION
from charts_py.argocd.project import Permissions
from charts_py.cluster_file.fault import Fault, Mark, SpecError
from charts_py.cluster_file.source import Source, read_source
from charts_py.cluster_file.translation import faults_of_fleet
from charts_py.constructs.platform_warning import warnings_of
from charts_py.constructs.render import render
from charts_py.load import load_platform, platform_of, read_fleet
from charts_py.objects.document import Document, keys_of
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.cluster_identity import (
    ClusterIdentity,
    alike_clusters,
    identity_of,
    same_clusters,
)
from charts_py.platform.platform import Platform
from charts_py.platform.tool_version import tool_version
from charts_py.rendering.fleet import FleetMember, fleet_member
from charts_py.rendering.rendering import ALONE, OtherVersions, files_of
from charts_py.warnings.cluster_warning import ClusterWarning
from gpuplane.versions.record import (
    PinnedCrds,
    ReleaseRecord,
    digest,
    read_record_file,
    record_files,
)
from upstream.lock import committed_lock

MAX_SEQUENTIAL = 12
"""Up to here one process is faster: a second one starts Python, cdk8s and Node again."""
CLUSTERS_PER_PROCESS = 25
"""After this many the processes are replaced, since Node keeps every object that it is given."""
_OF_NO_VERSION = "promotion"
"""This field states when versions go live, and changes none."""


@dataclass(frozen=True, slots=True)
class RenderedCluster:
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
    identity: ClusterIdentity
    """Which cluster its file describes."""
    warnings: tuple[ClusterWarning, ...]
    """Warnings about its file, each with the day from which it holds."""


_Outcome: TypeAlias = tuple[Path, RenderedCluster | SpecError]


@dataclass(frozen=True, slots=True)
class Sources:
    """What a cluster is rendered from, beside its own file."""

    fleet: Path | None
    dist: Path
    mirror: Path | None = None
    without: Collection[str] = ()
    """Versions of a cluster that stand there and no longer count."""


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
    files = record_files(sources.dist, platform.name).items()
    recorded = [read_record_file(file).permissions for other, file in files if other not in without]
    known = (each for each in recorded if each is not None)
    others = OtherVersions(reduce(or_, known, Permissions()), None in recorded)
    return render_platform(platform, str(file), others, sources.mirror, shared_fields(fleet))


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
        identity=identity_of(platform),
        warnings=warnings_of(platform),
    )


def render_clusters(
    files: Sequence[Path],
    sources: Sources,
    progress: Callable[[str], None],
    others: Iterable[Path] = (),
) -> tuple[RenderedCluster, ...]:
    """Render cluster files, in their order; `progress` is called with each finished name.

    `others` are not rendered, and only compared: none may describe one of the same clusters.
    Raises SpecError with the faults of all files, or the first RenderError or DistError.
    """
    outcomes: Iterable[_Outcome] = ((file, _outcome(file, sources)) for file in files)
    if len(files) > MAX_SEQUENTIAL:
        outcomes = _in_parallel(files, sources)
    rendered: dict[Path, RenderedCluster] = {}
    faults: dict[Path, Sequence[Fault]] = dict.fromkeys(files, ())
    for file, outcome in outcomes:
        if isinstance(outcome, SpecError):
            faults[file] = outcome.faults
        else:
            rendered[file] = outcome
        progress(file.stem)
    if any(faults.values()):
        raise SpecError(faults_of_fleet(faults, sources.fleet))
    found = tuple(rendered[file] for file in files)
    names = {each.record.cluster for each in found}
    known = [*_identities(others, sources.fleet), *(each.identity for each in found)]
    if same := [fault for name, fault in same_clusters(known) if name in names]:
        raise SpecError(same)
    alike = dict(alike_clusters(known))
    return tuple(_warned(each, alike.get(each.record.cluster)) for each in found)


def _identities(files: Iterable[Path], fleet: Path | None) -> Iterator[ClusterIdentity]:
    """Yield which clusters the files describe; what is wrong with them is told elsewhere."""
    for file in files:
        with suppress(SpecError):
            yield identity_of(load_platform(file, fleet))


def _warned(cluster: RenderedCluster, fault: Fault | None) -> RenderedCluster:
    if fault is None:
        return cluster
    return replace(cluster, warnings=(*cluster.warnings, ClusterWarning(fault)))


def _in_parallel(files: Sequence[Path], sources: Sources) -> Iterator[_Outcome]:
    processes = os.cpu_count() or 1
    # The executor's own max_tasks_per_child can hang: https://github.com/python/cpython/issues/115634
    for first in range(0, len(files), batch := CLUSTERS_PER_PROCESS * processes):
        with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
            pending = {pool.submit(_outcome, f, sources): f for f in files[first : first + batch]}
            for future in as_completed(pending):
                yield pending[future], future.result()


def _outcome(file: Path, sources: Sources) -> RenderedCluster | SpecError:
    try:
        return render_cluster(file, sources)
    except SpecError as error:
        return error


def pinned_crds(folders: Iterable[Iterable[Document]]) -> tuple[PinnedCrds, ...]:
    """Return, for each group of custom kinds that is pinned, where its definitions come from.

    Definitions are named `crds/<project>/<group>_<plural>.yaml`; a JSON schema names its kind.
    """
    groups = {key.group for key in keys_of(chain.from_iterable(folders))}
    found = set()
    for locked in committed_lock():
        file = PurePosixPath(locked.file)
        group = file.name.partition("_")[0] if file.parts[0] == "crds" else None
        if locked.api_version is not None:
            group = locked.api_version.partition("/")[0]
        if group in groups:
            found.add(PinnedCrds(group, f"{locked.repository} {locked.version}"))
    return tuple(sorted(found, key=lambda crds: (crds.group, crds.source)))


def shared_fields(fleet: Source) -> Mapping[str, str]:
    """Return the SHA-256 of each field of `fleet.yaml`; comments and order do not count."""
    return {
        name: digest(json.dumps(value, sort_keys=True).encode())
        for name, value in (fleet.content or {}).items()
        if name != _OF_NO_VERSION
    }
