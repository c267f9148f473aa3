"""Taints of nodes, and what tolerates them."""

from collections.abc import Iterator, Sequence

from charts_py.cluster_file.fault import counted
from charts_py.platform.platform import Platform, PlatformPool, taints_of
from gpuplane.fleet_report.fleet_facts import Fleet, FleetCluster
from gpuplane.fleet_report.report_page import (
    Cell,
    Cells,
    ReportSection,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.fleet_report.sections.clusters import component_name
from gpus.taint import Taint
from policies.toleration import tolerates


def taints_section(fleet: Fleet) -> ReportSection:
    headers = ("Cluster", "Taint", "Pools", "Set by", "GPU pods", "Components that tolerate it")
    rows = tuple(row for cluster in fleet.clusters for row in _rows(cluster))
    pools = sum(len(each.pools) for each in fleet.platforms)
    kinds = len({row[1].text for row in rows})
    finding = f"{counted(kinds, 'taint')} on {counted(pools, 'pool')}"
    table = report_table("Taints of pools, and who tolerates them", headers, rows)
    return report_section("tolerations", finding, table)


def _rows(cluster: FleetCluster) -> Iterator[Cells]:
    for taint in taints_of(cluster.platform.pools):
        pools = [pool for pool in cluster.platform.pools if taint in pool.facts.taints]
        yield tuple(_cells(cluster, taint, pools))


def _cells(cluster: FleetCluster, taint: Taint, pools: Sequence[PlatformPool]) -> Iterator[Cell]:
    platform = cluster.platform
    yield from cells(cluster.name, str(taint), ", ".join(pool.name for pool in pools))
    by_provider = any(taint in pool.facts.provider_taints for pool in pools)
    yield Cell(platform.provider.name.value if by_provider else "gpuplane")
    yield Cell("; ".join(f"{pool.name}: {_gpu_pods(platform, pool, taint)}" for pool in pools))
    if cluster.rendered is None:
        yield Cell("not rendered", Tone.WARNING)
        return
    names = dict.fromkeys(
        component_name(platform, component)
        for component, stated in cluster.rendered.tolerations.items()
        if any(tolerates(one, taint) for one in stated)
    )
    yield Cell(", ".join(names) or "none")


def _gpu_pods(platform: Platform, pool: PlatformPool, taint: Taint) -> str:
    """Return the namespaces whose pods tolerate it on a pool, all or those that ask for it."""
    is_spot = taint == pool.facts.spot_taint
    shown = (
        f"{each.name} where pods opt in" if is_spot and not each.spec.spot else each.name
        for each in platform.namespaces
        if each.spec.quota.gpus.get(pool.name)
    )
    return ", ".join(shown) or "none"
