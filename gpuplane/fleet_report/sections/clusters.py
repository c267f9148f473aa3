"""The fleet at a glance: clusters, and their components by version."""

from collections.abc import Iterator

from gpuplane.fleet_report.component_version import component_cell, components_of
from gpuplane.fleet_report.fleet_facts import ClusterFacts, Fleet
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    linked_rows,
)
from gpuplane.reports.cost.cost_item import Figure
from gpuplane.reports.cost.cost_statement import CostStatement, gpus_of, number_of

_NO = "none"


def clusters_section(fleet: Fleet, statement: CostStatement) -> ReportSection:
    """Return the clusters, and what version of each component they have."""
    return ReportSection(
        name="fleet",
        title="Fleet",
        summary=(
            "Live is what Argo CD syncs, by the cluster file; rendered is what the file asks for. "
            "They differ until somebody promotes a version."
        ),
        parts=(_cluster_table(fleet, statement), _component_table(fleet)),
        notes=(
            (
                "A component of gpuplane's own has the version of its cluster, so its objects are "
                "counted instead. What a chart renders is not compared, only its "
                "version and values."
            ),
        ),
    )


def _cluster_table(fleet: Fleet, statement: CostStatement) -> ReportTable:
    headers = (
        *("Cluster", "Provider", "Kubernetes", "Live", "Rendered", "dist/"),
        *("Pools", "Teams", "GPUs kept", "GPUs at most", "Allocations at most"),
    )
    rows = (
        Named((each.name,), (each.name,), tuple(_cluster_cells(each, statement)))
        for each in fleet.clusters
    )
    return ReportTable("clusters", "Clusters", headers, linked_rows("clusters", rows), words=6)


def _cluster_cells(cluster: ClusterFacts, statement: CostStatement) -> Iterator[Cell]:
    platform = cluster.platform
    live = platform.live if platform.is_live else _NO
    yield from cells(
        cluster.name, f"{platform.provider.name.value} {platform.cluster.region or ''}".strip()
    )
    yield Cell(platform.cluster.kubernetes.value)
    is_promoted = live == platform.cluster.version
    yield Cell(live, Tone.PLAIN if is_promoted else Tone.WARNING)
    yield Cell(platform.cluster.version)
    yield _state(cluster)
    yield from cells(str(len(platform.pools)), str(len(platform.cluster.teams)))
    for figure in (Figure.AT_MIN, Figure.AT_MAX):
        yield Cell(number_of(gpus_of(statement, figure, cluster.name)))
    allocations = (p.spec.nodes.max * p.facts.allocations_per_node for p in platform.pools)
    yield Cell(f"{sum(allocations):,}")


def _state(cluster: ClusterFacts) -> Cell:
    if cluster.rendered is None:
        return Cell("not rendered", Tone.BAD)
    if not cluster.is_current:
        return Cell("older than its file", Tone.BAD)
    return Cell("as its file says", Tone.GOOD)


def _component_table(fleet: Fleet) -> ReportTable:
    names = tuple(cluster.name for cluster in fleet.clusters)
    rows = (
        Named(
            (component,),
            (),
            (Cell(component), *(component_cell(each, component) for each in fleet.clusters)),
        )
        for component in components_of(fleet.clusters)
    )
    headers = ("Component", *names)
    caption = "Components, in the order in which Argo CD syncs them"
    return ReportTable(
        "components", caption, headers, linked_rows("components", rows), words=len(headers)
    )
