"""The components of clusters by version."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import counted
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.alike_clusters import names_of
from gpuplane.fleet_report.fleet_facts import Fleet, FleetCluster, RenderedVersion
from gpuplane.fleet_report.report_page import (
    Cell,
    Cells,
    ReportSection,
    Tone,
    report_section,
    report_table,
)

_WAVE = "argocd.argoproj.io/sync-wave"
_EACH_POOL = "POOL"
"""Stands for the name of a pool in that of a component."""
_OWN = "gpuplane's own"


@dataclass(frozen=True, slots=True)
class ComponentVersion:
    shown: str
    """Version of its chart."""
    content: object
    """What is compared: the values of its chart, or the digests of its files."""


def versions_section(fleet: Fleet) -> ReportSection:
    names = components_of(fleet.clusters)
    found = {name: _clusters_by_cell(fleet, name) for name in names}
    differing = sum(len(by_cell) > 1 for by_cell in found.values())
    changing = sum(any(cell.tone is Tone.WARNING for cell in each) for each in found.values())
    finding = (
        f"{counted(len(names), 'component')}, {differing} not alike on all clusters that have "
        f"them, {changing} that a promotion changes"
    )
    rows = (row for name, by_cell in found.items() for row in _rows(name, by_cell, fleet))
    caption = "Components, in the order in which Argo CD syncs them"
    table = report_table(caption, ("Component", "Version", "Clusters"), rows)
    return report_section("versions", finding, table)


def _clusters_by_cell(fleet: Fleet, name: str) -> dict[Cell, list[str]]:
    found: dict[Cell, list[str]] = {}
    for each in fleet.clusters:
        cell = component_cell(each, name)
        if cell.text:
            found.setdefault(cell, []).append(each.name)
    return found


def _rows(name: str, by_cell: Mapping[Cell, list[str]], fleet: Fleet) -> Iterator[Cells]:
    for cell, clusters in by_cell.items():
        is_all = len(fleet.clusters) == len(clusters) > 1
        yield (Cell(name), cell, Cell("all" if is_all else names_of(clusters)))


def components_of(clusters: Iterable[FleetCluster]) -> tuple[str, ...]:
    """Return every component of the clusters, in the order of their waves.

    Those that each pool has one of go by one name.
    """
    waves: dict[str, int] = {}
    for cluster in clusters:
        for version in (cluster.rendered, cluster.live):
            for component, application in version.applications.items() if version else ():
                name = component_name(cluster.platform, component)
                annotations = application["metadata"].get("annotations", {})
                waves[name] = max(waves.get(name, 0), int(annotations.get(_WAVE, 0)))
    return tuple(sorted(waves, key=lambda name: (waves[name], name)))


def component_cell(cluster: FleetCluster, name: str) -> Cell:
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
    cluster: FleetCluster, version: RenderedVersion | None, name: str
) -> ComponentVersion | None:
    if version is None:
        return None
    found = [
        _of_component(version, component)
        for component in version.applications
        if component_name(cluster.platform, component) == name
    ]
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
    return ComponentVersion(_OWN, files)


def _source(application: Document) -> Mapping[str, Any]:
    spec = application["spec"]
    sources = spec.get("sources") or [spec["source"]]
    charts = [source for source in sources if "chart" in source]
    source: Mapping[str, Any] = (charts or sources)[0]
    return source
