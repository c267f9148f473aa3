"""What a plan says of workloads that run now."""

from collections.abc import Iterator

from gpuplane.plan.parts.part import Part
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.workload_impact import Loss, WorkloadImpact
from gpuplane.tables import Table


def workload_part(plan: ClusterPlan) -> Iterator[Part]:
    """Yield what listed workloads would meet; nothing where none were listed."""
    if plan.workloads is not None:
        yield Part("Workloads", (), tuple(_tables(plan.workloads)), tuple(_notes(plan.workloads)))


def _tables(impact: WorkloadImpact) -> Iterator[Table]:
    if impact.refused:
        rows = tuple((each.workload, each.rule, each.message) for each in impact.refused)
        yield Table(("Newly refused", "Rule", "Why"), rows, words=3)


def _notes(impact: WorkloadImpact) -> Iterator[str]:
    refused = len({each.workload for each in impact.refused})
    yield (
        f"{refused} of {impact.read} workloads are admitted now and would be refused when their "
        "pods start again; pods that run are not touched."
    )
    if impact.refused_already:
        verb = "is" if impact.refused_already == 1 else "are"
        yield f"{impact.refused_already} {verb} refused already, whatever changes."
    for loss in impact.resources:
        yield f"No pool offers {loss.name} any more; {_askers(loss)}."
    for loss in impact.pools:
        yield f"Pool {loss.name} is gone, the only one for {', '.join(loss.workloads)}."


def _askers(loss: Loss) -> str:
    verb = "asks" if len(loss.workloads) == 1 else "ask"
    return f"{', '.join(loss.workloads)} {verb} for it"
