"""Taints of nodes, and what tolerates them."""

from collections.abc import Iterator

from charts_py.fleet_report.fleet_facts import ClusterFacts, Fleet
from charts_py.fleet_report.report_page import ReportSection
from charts_py.fleet_report.report_table import Cell, Named, ReportTable, Tone, cells, linked_rows
from charts_py.fleet_report.tolerating import tolerating_components
from charts_py.platform.platform import Platform, PlatformPool
from gpus.taint import Taint


def taints_section(fleet: Fleet) -> ReportSection:
    """Return which pods may run on the nodes of each pool."""
    headers = ("Cluster", "Pool", "Taint", "Set by", "GPU pods", "Components that tolerate it")
    rows = (row for cluster in fleet.clusters for row in _rows(cluster))
    return ReportSection(
        name="taints",
        title="Taints and tolerations",
        summary=(
            "Admission gives GPU pods the tolerations of the pools that their namespace has a "
            "quota on. Components tolerate what their rendered objects and chart values say."
        ),
        parts=(
            ReportTable(
                "taints",
                "Taints of pools, and who tolerates them",
                headers,
                linked_rows("taints", rows),
                words=len(headers),
            ),
        ),
        notes=(
            (
                "What a chart tolerates by its own defaults is not read, only the values that "
                "are set. Taints that start with a node and go when it is ready are told in "
                "docs/health.md and docs/prerequisites.md."
            ),
        ),
    )


def _rows(cluster: ClusterFacts) -> Iterator[Named]:
    platform = cluster.platform
    for pool in platform.pools:
        for taint in pool.facts.taints:
            keys = (platform.name, pool.name, str(taint))
            yield Named(keys, (platform.name,), tuple(_cells(cluster, pool, taint)))


def _cells(cluster: ClusterFacts, pool: PlatformPool, taint: Taint) -> Iterator[Cell]:
    yield from cells(cluster.name, pool.name, str(taint))
    by_provider = taint in pool.facts.provider_taints
    yield Cell(cluster.platform.provider.name.value if by_provider else "gpuplane")
    yield Cell(_gpu_pods(cluster.platform, pool, taint))
    if cluster.rendered is None:
        yield Cell("not rendered", Tone.WARNING)
    else:
        yield Cell(", ".join(tolerating_components(cluster.rendered, taint)) or "none")


def _gpu_pods(platform: Platform, pool: PlatformPool, taint: Taint) -> str:
    """Return the namespaces whose pods run there, by themselves or where pods ask for it."""
    granted = [each for each in platform.namespaces if each.spec.quota.gpus.get(pool.name)]
    if taint != pool.facts.spot_taint:
        return ", ".join(each.name for each in granted) or "none"
    shown = (each.name if each.spec.spot else f"{each.name}, pods that opt in" for each in granted)
    return "; ".join(shown) or "none"
