"""What is told of GPUs that are out, pool by pool."""

from collections.abc import Iterable, Iterator

from charts_py.plan.node_time import SECONDS_OF_A_MINUTE, drains, work
from charts_py.plan.outage import Outage
from charts_py.plan.part import Part
from charts_py.plan.plan import ClusterPlan
from charts_py.plan.rollout import Mechanism
from charts_py.plan.span import duration, exactly
from charts_py.tables.table import Row, Table

_HEADERS = (
    *("Pool", "What works through it"),
    *("Nodes", "GPUs", "Nodes at once", "Waves", "Takes", "GPUs out at once", "GPU-hours"),
)


def outage_part(plan: ClusterPlan) -> Iterator[Part]:
    """Yield what reaches nodes, how many at once, and for how long; nothing where nothing does."""
    if not plan.outages and not plan.unsized:
        return
    rows = tuple(map(_row, plan.outages))
    tables = (Table(_HEADERS, rows, words=2),) if rows else ()
    yield Part("GPUs out", tables=tables, notes=_notes(plan), commands=_commands(plan.outages))


def _row(outage: Outage) -> Row:
    made_by, mechanism = outage.rollout.made_by, outage.rollout.mechanism.value
    pool = outage.pool.pool
    place = pool if made_by in ("", pool) else f"{pool} ({made_by})"
    reached = (place, mechanism, outage.nodes.words(), outage.gpus.words())
    waves, out = outage.waves.words(), outage.gpus_out.words()
    if outage.is_blocked:
        return (*reached, "0", "0", "never", "0", "0")
    if outage.is_for_good:
        return (*reached, outage.at_once.words(), waves, "for good", out, "?")
    if not (outage.is_out or outage.moves_pods):
        return (*reached, outage.at_once.words(), waves, "", "0", "0")
    took, hours = duration(outage.minutes), outage.gpu_hours.words()
    return (*reached, outage.at_once.words(), waves, took, out, hours)


def _notes(plan: ClusterPlan) -> tuple[str, ...]:
    outages = plan.outages
    notes = [_of_nodes(outages)] if outages else []
    timed = [each for each in outages if each.is_out or (each.moves_pods and not each.is_blocked)]
    times = dict.fromkeys(part for each in timed for part in work(each.rollout))
    notes += [f"{each.rests_on[0].upper()}{each.rests_on[1:]}." for each in times]
    if drained := dict.fromkeys(map(_drain, (each for each in timed if drains(each.rollout)))):
        notes.append(f"Pods have this long to leave a node: {', '.join(drained)}.")
    blocked = dict.fromkeys(each.pool.pool for each in outages if each.is_blocked)
    notes += [_blocked(pool) for pool in blocked]
    if any(each.moves_pods for each in timed):
        notes.append(
            "Where no capacity is left for a replacement, as in a reservation that is used up, "
            "a node stays as it is until there is."
        )
    notes += [f"The size of pool {pool} is not known." for pool in plan.unsized]
    return tuple(notes)


def _drain(outage: Outage) -> str:
    seconds = outage.rollout.drain_seconds
    bound = "no bound" if seconds is None else duration(exactly(seconds / SECONDS_OF_A_MINUTE))
    return f"{outage.pool.pool} {bound}"


def _blocked(pool: str) -> str:
    return (
        f"{pool}: no node is replaced, since its limits allow 0 at once; its nodes stay as they are "
        "until they expire, or somebody deletes them."
    )


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
