"""What is said below the tables of a recommendation."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Fault, Problem, mark_at
from charts_py.platform.pool_price import HOURS_OF_A_MONTH, NoPrice
from gpuplane.reports.recommendation.recommendation import Layout, Recommendation
from gpus.sharing import SharingKind


def recommendation_notes(recommendation: Recommendation) -> Iterator[str]:
    """Yield what the figures are, and then what else the recommendation takes."""
    yield (
        "Utilisation is the GPU compute in use on average, over that of all nodes. "
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
