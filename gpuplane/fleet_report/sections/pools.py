"""Pools: from GPUs to allocations, and what each GPU is cut into."""

from collections.abc import Iterator

from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.gpu_drawing import GpuDrawing, GpuDrawings, drawn_parts
from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    ReportSection,
    anchor,
    cells,
    report_section,
    report_table,
)
from gpus.sharing import Sharing

_PICTURES = "layouts"


_WORDS = ("Cluster", "Pool", "GPU", "Purpose", "Purchase", "Sharing")
_COUNTS = ("Nodes", "GPUs a node", "Allocations a node", "GPUs at most", "Allocations at most")


def pools_section(fleet: Fleet) -> ReportSection:
    rows = (
        Named((platform.name, pool.name), (platform.name,), _pool_cells(platform, pool))
        for platform in fleet.platforms
        for pool in platform.pools
    )
    return report_section(
        "allocations",
        GpuDrawings(_PICTURES, tuple(_drawings(fleet))),
        report_table("pools", "Pools", (*_WORDS, *_COUNTS), rows, words=len(_WORDS)),
    )


def _pool_cells(platform: Platform, pool: PlatformPool) -> tuple[Cell, ...]:
    facts, spec = pool.facts, pool.spec
    most = spec.nodes.max
    return cells(
        platform.name,
        pool.name,
        facts.model.name,
        spec.purpose.value,
        spec.purchase.value,
        sharing_words(facts.sharing),
        f"{spec.nodes.kept} to {most}",
        str(facts.gpus_per_node),
        f"{facts.allocations_per_node:,}",
        f"{most * facts.gpus_per_node:,}",
        f"{most * facts.allocations_per_node:,}",
    )


def _drawings(fleet: Fleet) -> Iterator[GpuDrawing]:
    for platform in fleet.platforms:
        for pool in platform.pools:
            model, sharing = pool.facts.model, pool.facts.sharing
            geometry = model.mig if sharing.mig else None
            yield GpuDrawing(
                anchor=anchor(_PICTURES, platform.name, pool.name),
                cluster=platform.name,
                pool=pool.name,
                model=model.name,
                slices=geometry.memory_slices if geometry else 1,
                parts=drawn_parts(sharing, geometry),
                sharing=sharing_words(sharing),
                arithmetic=_arithmetic(pool),
            )


def sharing_words(sharing: Sharing) -> str:
    layout = " + ".join(f"{name} x {count}" for name, count in sharing.mig) or "whole GPUs"
    if sharing.replicas == 1:
        return layout
    way = "by MPS" if sharing.mps > 1 else "in turns"
    return f"{layout}, each for {sharing.replicas} pods {way}"


def _arithmetic(pool: PlatformPool) -> str:
    facts, nodes = pool.facts, pool.spec.nodes.max
    instances = sum(count for _, count in facts.sharing.mig)
    factors = [_counted(nodes, "node"), _counted(facts.gpus_per_node, "GPU")]
    if instances:
        factors.append(_counted(instances, "MIG instance"))
    if facts.sharing.replicas > 1:
        factors.append(_counted(facts.sharing.replicas, "share"))
    return f"{' x '.join(factors)} = {_counted(nodes * facts.allocations_per_node, 'allocation')}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
