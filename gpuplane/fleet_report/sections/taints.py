"""Taints of nodes, and what tolerates them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from charts_py.platform.platform import Platform, PlatformPool, taints_of
from gpuplane.fleet_report.fleet_facts import ClusterFacts, Fleet, RenderedVersion
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.fleet_report.sections.clusters import component_name
from gpus.taint import Taint


def taints_section(fleet: Fleet) -> ReportSection:
    headers = ("Cluster", "Taint", "Pools", "Set by", "GPU pods", "Components that tolerate it")
    caption = "Taints of pools, and who tolerates them"
    rows = (row for cluster in fleet.clusters for row in _rows(cluster))
    return report_section("tolerations", report_table("taints", caption, headers, rows))


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


def tolerating_components(version: RenderedVersion, taint: Taint) -> tuple[str, ...]:
    found = version.tolerations.items()
    return tuple(name for name, stated in found if any(tolerates(one, taint) for one in stated))


def tolerates(toleration: Mapping[str, Any], taint: Taint) -> bool:
    """Return whether a toleration matches a taint.

    As `ToleratesTaint` of `v1.Toleration` does in staging/src/k8s.io/api/core/v1/toleration.go of
    https://github.com/kubernetes/kubernetes; its comparisons of numbers match no taint of ours.
    """
    key, effect = toleration.get("key") or "", toleration.get("effect") or ""
    if (effect and effect != taint.effect) or (key and key != taint.key):
        return False
    match toleration.get("operator") or "Equal":
        case "Exists":
            return True
        case "Equal":
            return bool(key) and (toleration.get("value") or "") == taint.value
        case _:
            return False
