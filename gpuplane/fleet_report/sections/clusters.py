"""The fleet at a glance: clusters, and their components by version."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import counted
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet, FleetCluster, RenderedVersion
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.reports.cost.cost_item import Figure
from gpuplane.reports.cost.cost_statement import CostStatement, gpus_of, number_of

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


def clusters_section(fleet: Fleet, statement: CostStatement) -> ReportSection:
    tables = (_cluster_table(fleet, statement), _component_table(fleet))
    return report_section("fleet", *tables)


def _cluster_table(fleet: Fleet, statement: CostStatement) -> ReportTable:
    words = ("Cluster", "Provider", "Kubernetes", "Live", "Rendered", "dist/")
    counts = ("Pools", "Teams", "GPUs kept", "GPUs at most", "Allocations at most")
    rows = (
        Named((each.name,), (each.name,), tuple(_cluster_cells(each, statement)))
        for each in fleet.clusters
    )
    return report_table("clusters", "Clusters", (*words, *counts), rows, words=len(words))


def _cluster_cells(cluster: FleetCluster, statement: CostStatement) -> Iterator[Cell]:
    platform = cluster.platform
    live = platform.live if platform.is_live else "none"
    provider = f"{platform.provider.name.value} {platform.cluster.region or ''}".strip()
    yield from cells(cluster.name, provider, platform.cluster.kubernetes.value)
    is_promoted = live == platform.cluster.version
    yield Cell(live, Tone.PLAIN if is_promoted else Tone.WARNING)
    yield Cell(platform.cluster.version)
    yield _state(cluster)
    yield from cells(str(len(platform.pools)), str(len(platform.cluster.teams)))
    for figure in (Figure.AT_MIN, Figure.AT_MAX):
        yield Cell(number_of(gpus_of(statement, figure, cluster.name)))
    allocations = (p.spec.nodes.max * p.facts.allocations_per_node for p in platform.pools)
    yield Cell(f"{sum(allocations):,}")


def _state(cluster: FleetCluster) -> Cell:
    if cluster.rendered is None:
        return Cell("not rendered", Tone.BAD)
    if not cluster.is_current:
        return Cell("older than its file", Tone.BAD)
    return Cell("as its file says", Tone.GOOD)


def _component_table(fleet: Fleet) -> ReportTable:
    headers = ("Component", *(cluster.name for cluster in fleet.clusters))
    caption = "Components, in the order in which Argo CD syncs them"
    rows = (
        Named((name,), (), (Cell(name), *(component_cell(each, name) for each in fleet.clusters)))
        for name in components_of(fleet.clusters)
    )
    return report_table("components", caption, headers, rows)


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
    return ComponentVersion(counted(len(files), "object"), files)


def _source(application: Document) -> Mapping[str, Any]:
    spec = application["spec"]
    sources = spec.get("sources") or [spec["source"]]
    charts = [source for source in sources if "chart" in source]
    source: Mapping[str, Any] = (charts or sources)[0]
    return source
