"""A recommendation as tables for people."""

from collections.abc import Iterable, Iterator

from gpuplane.reports.recommendation.choice import Choice
from gpuplane.reports.recommendation.footprint import Footprint, month_of
from gpuplane.reports.recommendation.isolation import ISOLATION, KINDS, words_of
from gpuplane.reports.recommendation.option import percent
from gpuplane.reports.recommendation.recommendation import Recommendation
from gpuplane.tables.table import Row, Table
from gpus.sharing import SharingKind

NOTHING = "none fits"
UNKNOWN = "?"


def recommendation_tables(recommendation: Recommendation) -> Iterator[Table]:
    """Yield what is recommended, what it saves, what it isolates, and why not otherwise."""
    yield _choice_table(recommendation.choices)
    if recommendation.layouts:
        yield _saving_table(recommendation)
        yield _isolation_table(recommendation)
    yield _refusal_table(recommendation.choices)


def _choice_table(choices: Iterable[Choice]) -> Table:
    headers = ("Workload", "GPUs shared by", "Each pod asks for", "Pods", "On a GPU", "On a node")
    return Table(headers, tuple(map(_choice_row, choices)), words=3)


def _choice_row(choice: Choice) -> Row:
    option, workload = choice.option, choice.workload
    if option is None:
        return (choice.name, NOTHING, "", str(workload.pods), "", "")
    asked = f"{option.facts.resources[0].name}: {workload.gpus_per_pod}"
    on_gpu, on_node = option.pods_per_gpu, option.facts.allocations_per_node
    return (
        choice.name,
        words_of(option.kind),
        asked,
        str(workload.pods),
        f"{float(on_gpu / workload.gpus_per_pod):g}",
        str(on_node // workload.gpus_per_pod),
    )


def _saving_table(recommendation: Recommendation) -> Table:
    currency = recommendation.target.draft.cluster.cost.currency
    headers = ("Nodes for", "By", "GPUs held", "Nodes", "Utilisation", f"{currency} a month")
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
        utilisation = percent(taken.utilisation)
        yield (name, words, str(taken.gpus), str(taken.nodes), utilisation, _amount(month))
    gpus, nodes = before.gpus - after.gpus, before.nodes - after.nodes
    yield (name, "saved", str(gpus), str(nodes), "", _amount(month_of(nodes, price)))


def _amount(amount: float | None) -> str:
    return UNKNOWN if amount is None else f"{amount:,.2f}"


def _isolation_table(recommendation: Recommendation) -> Table:
    chosen = {layout.option.kind for layout in recommendation.layouts}
    headers = ("GPUs shared by", "A pod's memory", "A fault", "A pod's compute")
    return Table(headers, tuple(_isolation_row(kind) for kind in KINDS if kind in chosen), words=4)


def _isolation_row(kind: SharingKind) -> Row:
    isolation = ISOLATION[kind]
    return (words_of(kind), isolation.memory, isolation.faults, isolation.compute)


def _refusal_table(choices: Iterable[Choice]) -> Table:
    headers = ("Workload", "Not", "By", "Because", "Source")
    rows = (
        (choice.name, words_of(each.kind), each.step.value, each.reason, each.source)
        for choice in choices
        for each in choice.refusals
    )
    return Table(headers, tuple(rows), words=5)
