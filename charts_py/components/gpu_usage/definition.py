"""What is held and used of the GPUs, by pool, team and namespace, and what that costs.

Prometheus records it from what kube-state-metrics and the exporters of NVIDIA and AMD measure, and
from what the cluster file says: which pools there are, what one allocation is of a GPU, whose
namespaces there are, and what a GPU costs an hour. docs/figures.md has the formulas.

It is nothing but rules, which stand with those of the others in the component `monitoring`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.alert_tables import Rules, read_alerts
from charts_py.components.definition import rules_alone
from charts_py.components.gpu_metrics import PoolThreshold, measured_vendors, recorded_thresholds
from charts_py.components.gpu_usage.facts import budgets, platform_facts, prices
from charts_py.metrics.series import POOL_LABEL
from charts_py.metrics.table import fill_table, load_table
from charts_py.platform.metrics_collection import Alert, RecordingRule, Rule, RuleGroup
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.pool_price import HOURS_OF_A_MONTH
from charts_py.providers.registry import no_placeholders
from gpus.model import AMD, NVIDIA

_VENDORS = (NVIDIA, AMD)
"""The table knows the exporters of these."""
GPU_IDLE = "GpuplaneGpuIdle"
_LOW_USE = "GpuplanePoolLittleUsedWhilePodsWait"
_OVER_BUDGET = "GpuplaneTeamOverBudget"


def usage_groups(platform: Platform) -> tuple[RuleGroup, ...]:
    priced = tuple(prices(platform))
    declared = tuple(budgets(platform))
    measured = measured_vendors(platform)
    rules = _rules_of(measured or _VENDORS, no_placeholders(platform))
    thresholds = recorded_thresholds(platform)
    facts = (*platform_facts(platform), *priced, *declared, *thresholds, *rules["joins"])
    cost = (*rules["cost"], *(rules["used_cost"] if measured else ()))
    budget: tuple[Rule, ...] = (*rules["budget"], usage_alert(_OVER_BUDGET))
    groups = (
        _group("gpuplane-facts", facts),
        _group("gpuplane-allocation", rules["allocation"]),
        _group("gpuplane-use", _use(platform, measured) if measured else ()),
        _group("gpuplane-cost", cost if priced else ()),
        _group("gpuplane-budget", budget if priced and declared else ()),
    )
    return tuple(group for group in groups if group.rules)


def _group(name: str, rules: Iterable[Rule]) -> RuleGroup:
    # Of the namespaces that every cluster has, it is the one that no pod of a team runs in.
    return RuleGroup(name, KUBE_SYSTEM_NAMESPACE, tuple(rules), reads_other_namespaces=True)


def _use(platform: Platform, measured: tuple[str, ...]) -> Iterator[Rule]:
    rules = _rules_of(measured, no_placeholders(platform))
    yield from rules["use"]
    if NVIDIA in measured:
        yield from rules["tensor_efficiency"]
        if platform.cluster.addons.monitoring.gpu_counters is GpuCounters.PROFILING:
            yield from rules["sm_efficiency"]
    yield usage_alert(GPU_IDLE)
    # Without teams there are no quotas, from which the pool that a pod waits for is known.
    if platform.cluster.teams:
        yield usage_alert(_LOW_USE)


def figure_rules() -> tuple[RecordingRule, ...]:
    """Return every rule that records no fact; a platform has those for which it has metrics."""
    return tuple(rule for rules in _rules_of(_VENDORS).values() for rule in rules)


def usage_alerts() -> tuple[Alert, ...]:
    return read_alerts(__package__, idle_minutes=PoolThreshold.IDLE_MINUTES)


def usage_alert(name: str) -> Alert:
    (found,) = (each for each in usage_alerts() if each.name == name)
    return found


@cache
def _rules_of(
    vendors: tuple[str, ...], placeholders: str = ""
) -> Mapping[str, tuple[RecordingRule, ...]]:
    """Return the rules by group; those of use read what the exporters of these vendors measure.

    A matcher leaves out `placeholders`: what they hold is free.
    """
    file = files(__package__) / "rules.yaml"
    table = load_table(file)
    exporters = {
        f"{vendor}_{part}": expression
        for vendor in vendors
        for part, expression in table["exporters"][vendor].items()
    }
    rows, used = (
        " or ".join(f"{{{each}_{part}}}" for each in vendors) for part in ("rows", "used")
    )
    groups = fill_table(
        file,
        table["rules"],
        {**table["values"], **exporters, "rows": rows, "used": used},
        placeholders=placeholders,
        gpu_requests=_pod_requests(f'unit="integer"{placeholders}'),
        hours_of_a_month=HOURS_OF_A_MONTH,
        other_requests=_pod_requests('resource=~"cpu|memory"'),
        pool_label=POOL_LABEL,
    )
    return {
        group: tuple(RecordingRule(record, expression) for record, expression in rules.items())
        for group, rules in groups.items()
    }


def _pod_requests(resources: str) -> str:
    """Return PromQL of what unfinished pods request, by `namespace, pod, node, resource`.

    `resources` are matchers of what is requested. Containers and sidecars run together; before
    them, init containers run one by one. Source: `PodRequests` in
    https://github.com/kubernetes/component-helpers (resource/helpers.go), but for the overhead of
    runtime classes, and what sidecars hold beside an init container that is larger than the rest.
    """
    bound = f'{{node!="", {resources}}}'
    init = f"kube_pod_init_container_resource_requests{bound}"
    sidecars = 'kube_pod_init_container_info{restart_policy="Always"}'
    together = (
        f"kube_pod_container_resource_requests{bound} or {init}"
        f" and on (namespace, pod, container) {sidecars}"
    )
    pods = "namespace, pod, node, resource"
    # Two replicas of kube-state-metrics, an old and a new one, say the same twice.
    once = f"max by ({pods}, container) ({together})"
    most = f"max by ({pods}) (sum by ({pods}) ({once}) or {init})"
    # A pod that has finished holds nothing, though its requests stay.
    unfinished = 'group by (namespace, pod) (kube_pod_status_phase{phase=~"Pending|Running"} == 1)'
    return f"{most} * on (namespace, pod) group_left () {unfinished}"


GPU_USAGE = rules_alone(
    "gpu-usage",
    __doc__,
    ("addons.monitoring.gpuCounters", "pools", "teams", "cost"),
    Rules(usage_groups, usage_alerts),
)
