"""The part of a plan about capacity and quotas."""

from collections.abc import Iterator
from fractions import Fraction

from gpuplane.plan.allocation_change import (
    AllocationChange,
    DeclaredSize,
    PoolChange,
    QuotaChange,
    TeamChange,
)
from gpuplane.plan.part import Part
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.sources import source
from gpuplane.tables import Row, Table
from gpus.platform_names import POOL

_NONE = "-"


def allocation_part(plan: ClusterPlan) -> Iterator[Part]:
    change = plan.allocations
    if change:
        commands = (f"gpuplane queues {plan.cluster}", *map(_machines, change.sizes))
        yield Part(
            "Capacity and quotas", (), tuple(_tables(change)), tuple(_notes(change)), commands
        )


_TEAM = ("Team", "GPUs in quotas before", "After", "Difference")
_QUOTA = ("Namespace", "Pool", "Resource", "Own before", "After", "Reach before", "After")
_POOL = ("Pool", "Resource", "Capacity before", "After", "In quotas before", "After")


def _tables(change: AllocationChange) -> Iterator[Table]:
    if change.teams:
        rows = [*map(_team_row, change.teams)]
        if len(change.teams) > 1:
            before = sum((each.before for each in change.teams), Fraction())
            after = sum((each.after for each in change.teams), Fraction())
            rows.append(_team_row(TeamChange("together", before, after)))
        yield Table(_TEAM, tuple(rows), words=1)
    if change.quotas:
        yield Table(_QUOTA, tuple(map(_quota_row, change.quotas)), words=3)
    if change.pools:
        yield Table(_POOL, tuple(map(_pool_row, change.pools)), words=2)


def _machines(size: DeclaredSize) -> str:
    return f"kubectl get nodes --selector {POOL}={size.pool}"


def _notes(change: AllocationChange) -> Iterator[str]:
    yield from map(_declared_size, change.sizes)
    yield (
        "GPUs count shares of a GPU as parts of it. Own, reach, capacity and quotas are "
        "allocations: whole GPUs, MIG instances, or shares of either."
    )
    for each in change.pools:
        if each.over and each.after:
            line = each.after
            yield (
                f"Over-committed: quotas on {line.pool} come to {line.promised} {line.resource}, "
                f"{each.over} more than the {line.capacity} of its {line.nodes} nodes."
            )


def _declared_size(size: DeclaredSize) -> str:
    stated = (
        f"{size.pool} is stated to have {size.after} nodes of {size.gpus} GPUs in place of "
        f"{size.before}"
    )
    if size.difference < 0:
        return (
            f"{stated}, so quotas can have {-size.difference} GPUs fewer. The merge removes no "
            "machine: those that are there keep the labels of the pool, and pods run and start on "
            "them, until somebody drains them and takes them out of the cluster "
            f"({source('node_features')})."
        )
    return (
        f"{stated}, so quotas can have {size.difference} GPUs more. The merge adds no machine: one "
        "belongs to the pool once it has joined the cluster and matches "
        f"({source('node_features')})."
    )


def _team_row(each: TeamChange) -> Row:
    difference = float(each.after - each.before)
    return (each.team, _number(each.before), _number(each.after), f"{difference:+,.2f}")


def _quota_row(each: QuotaChange) -> Row:
    line = each.after or each.before
    assert line is not None  # noqa: S101 # one side has it, or there were no change
    return (line.namespace, line.pool, line.resource, *_sides(each, "own", "reach"))


def _pool_row(each: PoolChange) -> Row:
    line = each.after or each.before
    assert line is not None  # noqa: S101 # one side has it, or there were no change
    return (line.pool, line.resource, *_sides(each, "capacity", "promised"))


def _sides(each: QuotaChange | PoolChange, *amounts: str) -> Iterator[str]:
    for amount in amounts:
        for side in (each.before, each.after):
            yield str(getattr(side, amount)) if side else _NONE


def _number(gpus: Fraction) -> str:
    return f"{float(gpus):,.2f}".removesuffix(".00")
