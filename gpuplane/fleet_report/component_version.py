"""What a cluster has of a component, live and rendered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from charts_py.cluster_file.fault import counted
from gpuplane.fleet_report.report_page import Cell, Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform
    from gpuplane.fleet_report.fleet_facts import ClusterFacts, RenderedVersion

_WAVE = "argocd.argoproj.io/sync-wave"

_EACH_POOL = "POOL"
"""Stands for the name of a pool in that of a component."""


@dataclass(frozen=True, slots=True)
class ComponentVersion:
    """A component in one version of a cluster."""

    shown: str
    """Version of its chart, or how many objects it has."""
    content: object
    """What is compared: the values of its chart, or the digests of its files."""


def components_of(clusters: Iterable[ClusterFacts]) -> tuple[str, ...]:
    """Return every component of the clusters, in the order of their waves.

    Those that each pool has one of go by one name.
    """
    waves: dict[str, int] = {}
    for cluster in clusters:
        for version in (cluster.rendered, cluster.live):
            for component, application in version.applications.items() if version else ():
                name = component_name(cluster.platform, component)
                waves[name] = max(waves.get(name, 0), _wave(application))
    return tuple(sorted(waves, key=lambda name: (waves[name], name)))


def component_cell(cluster: ClusterFacts, name: str) -> Cell:
    """Return what a cluster has of a component, and whether a promotion changes it."""
    new = _version(cluster, cluster.rendered, name)
    if cluster.live is None or cluster.live is cluster.rendered:
        return Cell(new.shown if new else "")
    return _compared(_version(cluster, cluster.live, name), new)


def component_name(platform: Platform, component: str) -> str:
    """Return what a component goes by, which those of all pools have in common."""
    for pool in platform.pools:
        if component.endswith(f"-{pool.name}"):
            return f"{component.removesuffix(pool.name)}{_EACH_POOL}"
    return component


def _compared(old: ComponentVersion | None, new: ComponentVersion | None) -> Cell:
    if old is None or new is None:
        only = old or new
        where = "not live yet" if new else "live alone"
        return Cell(f"{only.shown}, {where}", Tone.WARNING) if only else Cell("")
    if old.shown != new.shown:
        return Cell(f"{old.shown} → {new.shown}", Tone.WARNING)
    if old.content != new.content:
        return Cell(f"{new.shown}, changed", Tone.WARNING)
    return Cell(new.shown)


def _version(
    cluster: ClusterFacts, version: RenderedVersion | None, name: str
) -> ComponentVersion | None:
    if version is None:
        return None
    members = [
        component
        for component in version.applications
        if component_name(cluster.platform, component) == name
    ]
    found = [_of_component(version, component) for component in members]
    if len(found) < 2:
        return found[0] if found else None
    shown = ", ".join(dict.fromkeys(each.shown for each in found))
    return ComponentVersion(f"{shown} x {len(found)}", [each.content for each in found])


def _of_component(version: RenderedVersion, component: str) -> ComponentVersion:
    source = _source(version.applications[component])
    if "chart" in source:
        return ComponentVersion(source["targetRevision"], source.get("helm"))
    folder = f"{component}/"
    files = {path: each for path, each in version.record.files.items() if path.startswith(folder)}
    if not files:  # it is in a repository of its own
        return ComponentVersion(source["targetRevision"], source)
    return ComponentVersion(counted(len(files), "object"), files)


def _source(application: Document) -> Mapping[str, Any]:
    spec = application["spec"]
    sources = spec.get("sources") or [spec["source"]]
    charts = [source for source in sources if "chart" in source]
    source: Mapping[str, Any] = (charts or sources)[0]
    return source


def _wave(application: Document) -> int:
    return int(application["metadata"].get("annotations", {}).get(_WAVE, 0))
