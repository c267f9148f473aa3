"""Taints of nodes, and what tolerates them."""

from collections.abc import Iterator, Sequence

from charts_py.platform.platform import Platform, PlatformPool, taints_of
from gpuplane.fleet_report.component_version import component_name
from gpuplane.fleet_report.fleet_facts import ClusterFacts, Fleet
from gpuplane.fleet_report.report_page import ReportSection
from gpuplane.fleet_report.report_table import Cell, Named, ReportTable, Tone, cells, linked_rows
from gpuplane.fleet_report.tolerating import tolerating_components
from gpus.taint import Taint


def taints_section(fleet: Fleet) -> ReportSection:
    """Return which pods may run on the nodes of each pool."""
    headers = ("Cluster", "Taint", "Pools", "Set by", "GPU pods", "Components that tolerate it")
    rows = (row for cluster in fleet.clusters for row in _rows(cluster))
    return ReportSection(
        name="tolerations",
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
                "are set. Taints that start with a node and go when it is ready are described in "
                "docs/health.md and docs/prerequisites.md."
            ),
        ),
    )


def _rows(cluster: ClusterFacts) -> Iterator[Named]:
    platform = cluster.platform
    for taint in taints_of(platform.pools):
        pools = [pool for pool in platform.pools if taint in pool.facts.taints]
        shown = tuple(_cells(cluster, taint, pools))
        yield Named((platform.name, str(taint)), (platform.name,), shown)


def _cells(cluster: ClusterFacts, taint: Taint, pools: Sequence[PlatformPool]) -> Iterator[Cell]:
    platform = cluster.platform
    yield from cells(cluster.name, str(taint), ", ".join(pool.name for pool in pools))
    by_provider = any(taint in pool.facts.provider_taints for pool in pools)
    yield Cell(platform.provider.name.value if by_provider else "gpuplane")
    yield Cell("; ".join(f"{pool.name}: {_gpu_pods(platform, pool, taint)}" for pool in pools))
    if cluster.rendered is None:
        yield Cell("not rendered", Tone.WARNING)
        return
    found = tolerating_components(cluster.rendered, taint)
    names = dict.fromkeys(component_name(platform, component) for component in found)
    yield Cell(", ".join(names) or "none")


def _gpu_pods(platform: Platform, pool: PlatformPool, taint: Taint) -> str:
    """Return the namespaces whose pods tolerate it on a pool, all or those that ask for it."""
    granted = [each for each in platform.namespaces if each.spec.quota.gpus.get(pool.name)]
    is_spot = taint == pool.facts.spot_taint
    shown = (
        f"{each.name} where pods opt in" if is_spot and not each.spec.spot else each.name
        for each in granted
    )
    return ", ".join(shown) or "none"
