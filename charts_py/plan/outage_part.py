"""What is told of GPUs that are out, pool by pool."""

from collections.abc import Iterable, Iterator

from charts_py.plan.node_time import time_parts
from charts_py.plan.outage import Outage
from charts_py.plan.part import Part
from charts_py.plan.plan import ClusterPlan
from charts_py.plan.rollout import Mechanism
from charts_py.plan.span import duration
from charts_py.tables.table import Row, Table

_HEADERS = (
    "Pool",
    "What works through it",
    "Nodes",
    "At once",
    "Waves",
    "Takes",
    "GPUs out",
    "GPU-hours",
)


def outage_part(plan: ClusterPlan) -> Iterator[Part]:
    """Yield what reaches nodes, how many at once, and for how long; nothing where nothing does."""
    if not plan.outages and not plan.unsized:
        return
    rows = tuple(map(_row, plan.outages))
    tables = (Table(_HEADERS, rows, words=2),) if rows else ()
    yield Part("GPUs out", tables=tables, notes=_notes(plan), commands=_commands(plan.outages))


def _row(outage: Outage) -> Row:
    place = (outage.pool.pool, outage.rollout.mechanism.value)
    if outage.is_for_good:
        gpus = outage.gpus.words()
        return (*place, outage.nodes.words(), outage.at_once.words(), "1", "for good", gpus, "?")
    if not outage.rollout.mechanism.takes_gpus_away:
        return (*place, outage.nodes.words(), outage.at_once.words(), "", "", "0", "0")
    time, out, hours = outage.minutes, outage.gpus_out, outage.gpu_hours
    counts = (each.words() for each in (outage.nodes, outage.at_once, outage.waves))
    return (*place, *counts, duration(time), out.words(), hours.words())


def _notes(plan: ClusterPlan) -> tuple[str, ...]:
    outages = plan.outages
    times = {
        part.rests_on: None
        for each in outages
        if each.is_out or each.moves_pods
        for part in time_parts(each.rollout)
    }
    notes = [_of_nodes(outages), *(f"{each[0].upper()}{each[1:]}." for each in times)]
    notes += [_blocked(each) for each in outages if each.is_blocked]
    if any(each.moves_pods for each in outages):
        notes.append(
            "Where no capacity is left for a replacement, as in a reservation that is used up, "
            "a node stays as it is until there is."
        )
    notes += [f"The size of pool {pool} is not known." for pool in plan.unsized]
    return tuple(notes)


def _of_nodes(outages: Iterable[Outage]) -> str:
    """Say what the numbers of nodes rest on."""
    pools = {each.pool.pool: each.pool.is_counted for each in outages}
    counted = ", ".join(pool for pool, is_counted in pools.items() if is_counted)
    if all(pools.values()):
        return f"Nodes are those that run, as counted: {counted}."
    told = f", those of {counted} apart, which were counted" if counted else ""
    return (
        "Nodes are between those that are kept and the most that there can be, by the cluster "
        f"file{told}. How many run is not known here: --nodes POOL=COUNT says it."
    )


def _blocked(outage: Outage) -> str:
    mechanism = outage.rollout.mechanism.value
    return f"{outage.pool.pool}: the {mechanism} never starts, since 0 nodes may go at once."


def _commands(outages: Iterable[Outage]) -> tuple[str, ...]:
    """Return what to run for each mechanism: before the change, or to watch it."""
    found: dict[str, None] = {}
    for each in outages:
        found |= dict.fromkeys(_command(each.rollout.mechanism, each.pool.pool))
    return tuple(found)


def _command(mechanism: Mechanism, pool: str) -> Iterator[str]:
    nodes = f"--selector gpuplane.io/pool={pool}"
    match mechanism:
        case Mechanism.MIG_LABEL:
            yield f"kubectl drain {nodes} --ignore-daemonsets --delete-emptydir-data"
            yield f"kubectl get nodes {nodes} --label-columns nvidia.com/mig.config.state"
        case Mechanism.DRIVER_UPGRADE | Mechanism.DRIVER_RESTART:
            state = "nvidia.com/gpu-driver-upgrade-state"
            yield f"kubectl get nodes {nodes} --label-columns {state} --watch"
        case Mechanism.DRIFT | Mechanism.CONSOLIDATION:
            yield f"kubectl get nodeclaims --selector karpenter.sh/nodepool={pool} --watch"
        case Mechanism.POOL_UPGRADE | Mechanism.POOL_DELETION | Mechanism.SCALE_IN:
            yield f"kubectl get nodes {nodes} --watch"
        case _:
            return
