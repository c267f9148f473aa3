"""The groups of rules, in the order in which each reads what those before it recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.gpu_metrics.measured import measured_vendors
from charts_py.components.gpu_metrics.thresholds import recorded_thresholds
from charts_py.components.gpu_usage.alerts import use_alerts
from charts_py.components.gpu_usage.allocation import ALLOCATION
from charts_py.components.gpu_usage.budget import MONTH_COST, OVER_BUDGET, budgets
from charts_py.components.gpu_usage.cost import COST, USED_COST, prices
from charts_py.components.gpu_usage.efficiency import SM_EFFICIENCY, TENSOR_EFFICIENCY
from charts_py.components.gpu_usage.facts import platform_facts
from charts_py.components.gpu_usage.gpu_hours import GPU_HOURS
from charts_py.components.gpu_usage.joins import JOINS
from charts_py.components.gpu_usage.rows_of_amd import AMD_ROWS
from charts_py.components.gpu_usage.rows_of_nvidia import NVIDIA_ROWS
from charts_py.components.gpu_usage.stranded import STRANDED
from charts_py.components.gpu_usage.use import use_rules
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.rule_group import Rule, RuleGroup
from gpus.vendor import AMD, NVIDIA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from charts_py.components.gpu_usage.rows import ExporterRows
    from charts_py.platform.platform import Platform
    from charts_py.platform.recording_rule import RecordingRule

_ROWS: Mapping[str, ExporterRows] = {NVIDIA: NVIDIA_ROWS, AMD: AMD_ROWS}
"""The rows of each vendor's exporter."""

FIGURE_RULES = (
    *JOINS,
    *ALLOCATION,
    *STRANDED,
    *GPU_HOURS,
    *use_rules(_ROWS.values()),
    TENSOR_EFFICIENCY,
    SM_EFFICIENCY,
    *COST,
    *USED_COST,
    MONTH_COST,
)
"""Every rule that is not a fact; each platform has those of what is measured there."""


def usage_groups(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return a group for each thing that can be computed on a platform."""
    priced = tuple(prices(platform))
    stated = tuple(budgets(platform))
    measured = tuple(_ROWS[vendor] for vendor in measured_vendors(platform))
    thresholds = recorded_thresholds(platform)
    facts = (*platform_facts(platform), *priced, *stated, *thresholds, *JOINS)
    groups = (
        _group("gpuplane-facts", facts),
        _group("gpuplane-allocation", (*ALLOCATION, *STRANDED, *GPU_HOURS)),
        _group("gpuplane-use", _use(platform, measured) if measured else ()),
        _group("gpuplane-cost", _cost(measured) if priced else ()),
        _group("gpuplane-budget", (MONTH_COST, OVER_BUDGET) if priced and stated else ()),
    )
    return tuple(group for group in groups if group.rules)


def _use(platform: Platform, measured: tuple[ExporterRows, ...]) -> Iterator[Rule]:
    yield from use_rules(measured)
    counters = platform.cluster.addons.monitoring.gpu_counters
    if NVIDIA_ROWS in measured:
        yield TENSOR_EFFICIENCY
        if counters is GpuCounters.PROFILING:
            yield SM_EFFICIENCY
    yield from use_alerts(platform)


def _cost(measured: tuple[ExporterRows, ...]) -> Iterator[RecordingRule]:
    yield from COST
    if measured:
        yield from USED_COST


def _group(name: str, rules: Iterable[Rule]) -> RuleGroup:
    # Of the namespaces that every cluster has, it is the one that no pod of a team runs in.
    return RuleGroup(name, KUBE_SYSTEM_NAMESPACE, tuple(rules), reads_other_namespaces=True)
