"""A recommendation as tables for people."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import yaml

from charts_py.cluster_file.fault import Fault, Problem, mark_at
from charts_py.platform.pool_price import HOURS_OF_A_MONTH, NoPrice
from gpuplane.json_output import attributes
from gpuplane.reports.cost.cost_report import amount
from gpuplane.reports.recommendation.option import percent
from gpuplane.reports.recommendation.recommendation import (
    Choice,
    Footprint,
    Layout,
    Recommendation,
    month_of,
)
from gpuplane.reports.recommendation.rule import ways
from gpuplane.tables import Row, Table
from gpus.sharing import SharingKind

Fields: TypeAlias = dict[str, Any]
_DECIMALS = 4
NOTHING = "none fits"


def recommendation_tables(recommendation: Recommendation) -> Iterator[Table]:
    headers = ("Workload", "GPUs shared by", "Each pod asks for", "Pods", "On a GPU", "On a node")
    yield Table(headers, tuple(map(_choice_row, recommendation.choices)), words=3)
    if recommendation.layouts:
        yield _saving_table(recommendation)
        yield _isolation_table(recommendation)
    yield _refusal_table(recommendation.choices)


def _choice_row(choice: Choice) -> Row:
    option, workload = choice.option, choice.workload
    if option is None:
        return (choice.name, NOTHING, "", str(workload.pods), "", "")
    asked = f"{option.facts.resources[0].name}: {workload.gpus_per_pod}"
    on_gpu, on_node = option.pods_per_gpu, option.facts.allocations_per_node
    return (
        choice.name,
        ways()[option.kind].words,
        asked,
        str(workload.pods),
        f"{float(on_gpu / workload.gpus_per_pod):g}",
        str(on_node // workload.gpus_per_pod),
    )


def _saving_table(recommendation: Recommendation) -> Table:
    currency = recommendation.target.draft.cluster.cost.currency
    headers = ("Nodes for", "By", "GPUs held", "Nodes", "Utilization", f"{currency} a month")
    rows = [
        row
        for layout in recommendation.layouts
        for row in _rows(", ".join(layout.workloads), layout.before, layout.after, recommendation)
    ]
    if len(recommendation.layouts) > 1:
        rows += _rows("all", recommendation.before, recommendation.after, recommendation)
    return Table(headers, tuple(rows), words=2)


def _rows(
    name: str, before: Footprint, after: Footprint, recommendation: Recommendation
) -> Iterator[Row]:
    price = recommendation.price
    for words, taken in (("whole GPUs", before), ("recommended", after)):
        month = month_of(taken.nodes, price)
        utilization = percent(taken.utilization)
        yield (name, words, str(taken.gpus), str(taken.nodes), utilization, amount(month))
    gpus, nodes = before.gpus - after.gpus, before.nodes - after.nodes
    yield (name, "saved", str(gpus), str(nodes), "", amount(month_of(nodes, price)))


def _isolation_table(recommendation: Recommendation) -> Table:
    chosen = {layout.option.kind for layout in recommendation.layouts}
    headers = ("GPUs shared by", "A pod's memory", "A fault", "A pod's compute")
    rows = (
        (way.words, way.memory, way.faults, way.compute)
        for kind, way in ways().items()
        if kind in chosen
    )
    return Table(headers, tuple(rows), words=4)


def _refusal_table(choices: Iterable[Choice]) -> Table:
    headers = ("Workload", "Ruled out", "Decided by", "Reason", "Source")
    rows = (
        (choice.name, ways()[each.kind].words, each.step.value, each.reason, each.source)
        for choice in choices
        for each in choice.refusals
    )
    return Table(headers, tuple(rows), words=5)


def recommendation_notes(recommendation: Recommendation) -> Iterator[str]:
    """Yield what the figures are, and then what else the recommendation takes."""
    yield (
        "Utilization is the GPU compute in use on average, over that of all nodes. "
        f"A month has {HOURS_OF_A_MONTH} hours."
    )
    price = recommendation.target.price
    if isinstance(price, NoPrice):
        yield f"What nodes cost is not known: {price.reason}; allowed: {price.remedy}"
    for number, layout in enumerate(recommendation.layouts):
        if layout.option.kind is SharingKind.MPS:
            yield "MPS serves one user ID at a time: pods on a GPU run as the same runAsUser."
        if number == 0 and recommendation.target.in_file:
            yield from map(str, also_to_change(layout, recommendation))


def also_to_change(layout: Layout, recommendation: Recommendation) -> Iterator[Fault]:
    """Yield what else of the cluster file no longer fits where a pool is shared so."""
    target = recommendation.target
    yield from layout.option.trial.elsewhere
    needed, most = layout.after.nodes, target.pool.spec.nodes.max
    if needed > most:
        path = (*target.pool.path, "nodes", "max")
        what = f"{most} nodes, and the workloads fill {needed}"
        yield Fault(mark_at(path, target.cluster.marks), Problem(path, what, f"at least {needed}"))


def pool_blocks(recommendation: Recommendation) -> Iterator[str]:
    """Yield what each pool has in the cluster file, below a comment that says for whom it is."""
    target = recommendation.target
    for number, layout in enumerate(recommendation.layouts):
        block = {"pools": {target.pool_name(number): pool_fields(layout, recommendation)}}
        lines = yaml.safe_dump(block, sort_keys=False, default_flow_style=None, width=1000)
        beside = f" a pool beside {target.pool.name}, like it but for" if number else ""
        yield f"# For {', '.join(layout.workloads)}:{beside}\n{lines}"


def pool_fields(layout: Layout, recommendation: Recommendation) -> dict[str, Any]:
    target = recommendation.target
    fields = {} if target.in_file else target.cluster.content["pools"][target.pool.name]
    machine = {name: fields[name] for name in ("instanceType", "gpu", "gpus") if name in fields}
    return {**machine, **layout.option.trial.block}


def recommendation_fields(recommendation: Recommendation) -> Fields:
    target = recommendation.target
    return {
        "gpu": target.hardware.model.name,
        "gpusPerNode": target.hardware.gpus,
        "currency": target.draft.cluster.cost.currency,
        "workloads": [_choice(choice) for choice in recommendation.choices],
        "pools": [_pool(*each, recommendation) for each in enumerate(recommendation.layouts)],
        **_both(recommendation.before, recommendation.after, recommendation),
    }


def _choice(choice: Choice) -> Fields:
    option = choice.option
    chosen: Fields = {"sharing": None, "resource": None, "podsPerGpu": None}
    if option is not None:
        chosen = {
            "sharing": option.kind,
            "resource": option.facts.resources[0].name,
            "podsPerGpu": float(option.pods_per_gpu / choice.workload.gpus_per_pod),
        }
    refusals = [
        {"sharing": one.kind, **attributes(one, "step", "reason", "source")}
        for one in choice.refusals
    ]
    return {"name": choice.name, "pods": choice.workload.pods, **chosen, "notTaken": refusals}


def _pool(number: int, layout: Layout, recommendation: Recommendation) -> Fields:
    target, way = recommendation.target, ways()[layout.option.kind]
    is_there = number == 0 and target.in_file
    faults = also_to_change(layout, recommendation) if is_there else ()
    return {
        "name": target.pool_name(number),
        "fields": pool_fields(layout, recommendation),
        "workloads": layout.workloads,
        "allocationsPerNode": layout.option.facts.allocations_per_node,
        "isolation": attributes(way, "memory", "faults", "compute", "source"),
        "alsoToChange": [str(fault) for fault in faults],
        **_both(layout.before, layout.after, recommendation),
    }


def _both(before: Footprint, after: Footprint, recommendation: Recommendation) -> Fields:
    sides = {"before": before, "after": after}
    return {side: _footprint(taken, recommendation) for side, taken in sides.items()}


def _footprint(footprint: Footprint, recommendation: Recommendation) -> Fields:
    return {
        "gpus": footprint.gpus,
        "nodes": footprint.nodes,
        "utilization": round(float(footprint.utilization), _DECIMALS),
        "month": month_of(footprint.nodes, recommendation.price),
    }
