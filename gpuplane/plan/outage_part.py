"""The part of a plan about GPUs that are out, pool by pool."""

import shlex
from collections.abc import Iterable, Iterator, Sequence

from gpuplane.plan.outage import Outage
from gpuplane.plan.part import Part
from gpuplane.plan.rollout import SECONDS_PER_MINUTE, Mechanism, drains, duration, exactly, step
from gpuplane.plan.sources import source
from gpuplane.plan.unmet_checks import unmet_words
from gpuplane.tables import Row, Table
from gpus.platform_names import POOL

_HEADERS = (
    "Pool",
    "Rollout",
    "Nodes",
    "GPUs",
    "Nodes at once",
    "Waves",
    "Takes",
    "GPUs out at once",
    "GPU-hours",
)
_WATCHED = (
    Mechanism.OPERAND_REMOVAL,
    Mechanism.MACHINE_UPGRADE,
    Mechanism.POOL_UPGRADE,
    Mechanism.POOL_DELETION,
    Mechanism.SCALE_IN,
)


def outage_part(outages: Sequence[Outage], unsized: Sequence[str] = ()) -> Iterator[Part]:
    if not outages and not unsized:
        return
    rows = tuple(map(_row, outages))
    tables = (Table(_HEADERS, rows, words=2),) if rows else ()
    notes = (*_notes(outages), *(f"The size of pool {pool} is not known." for pool in unsized))
    yield Part("GPUs out", tables=tables, notes=notes, commands=_commands(outages))


def _row(outage: Outage) -> Row:
    reached: Row = (
        outage.place,
        outage.rollout.mechanism.value,
        outage.nodes.words(),
        outage.gpus.words(),
    )
    if outage.is_blocked:
        return (*reached, "0", "", "not replaced", "0", "0")
    reached = (*reached, outage.at_once.words(), outage.waves.words())
    out = outage.gpus_out.words()
    if outage.is_for_good:
        return (*reached, "for good", out, "?")
    if outage.successor is not None:
        return (*reached, f"until {outage.successor} has others", out, "?")
    if not (outage.is_out or outage.moves_pods):
        return (*reached, "", "0", "0")
    return (*reached, duration(outage.minutes), out, outage.gpu_hours.words())


def _notes(outages: Sequence[Outage]) -> list[str]:
    notes = [_of_nodes(outages)] if outages else []
    timed = [each for each in outages if each.is_out or (each.moves_pods and not each.is_blocked)]
    times = dict.fromkeys(part for each in timed if (part := step(each.rollout)))
    notes += [each.note for each in times]
    notes += _drain_notes(tuple(each for each in timed if drains(each.rollout)))
    notes += [
        f"{place}: the pool stays as it is when this is merged. The figures are those of the day "
        "on which somebody deletes it and makes it anew."
        for place in dict.fromkeys(each.place for each in outages if each.needs_somebody)
    ]
    notes += [
        f"{place}: no node is replaced, since none may be disrupted; its nodes stay as they "
        "are until they are empty and consolidated, expire, or somebody deletes them."
        for place in dict.fromkeys(each.place for each in outages if each.is_blocked)
    ]
    unmet = (unmet_words(each.rollout.pool, each.unmet) for each in outages if each.unmet)
    notes += [f"Until they are replaced, {words}." for words in dict.fromkeys(unmet)]
    together = [each for each in outages if len(each.pools) > 1 and each.rollout.limits]
    if any(each.rollout.mechanism is not Mechanism.MACHINE_UPGRADE for each in together):
        notes.append(
            "Nodes of several pools count against one limit, and go one after the other "
            f"({source('driver_upgrade_limit')})."
        )
    if any(each.rollout.mechanism is Mechanism.MIG_LABEL for each in timed):
        notes.append(
            "Drain the nodes before the merge, and uncordon them once their label "
            "nvidia.com/mig.config.state says success."
        )
    if any(each.moves_pods for each in timed):
        notes.append(
            "Where no capacity is left for a replacement, as in a reservation that is used up, "
            "a node stays as it is until there is."
        )
    return notes


def _drain_notes(drained: tuple[Outage, ...]) -> Iterator[str]:
    bounds: dict[int | None, dict[str, None]] = {}
    for each in drained:
        bounds.setdefault(each.rollout.drain_seconds, {}).setdefault(each.place)
    for seconds, places in sorted(bounds.items(), key=lambda each: each[0] or 0):
        of = ", ".join(places)
        if seconds is None:
            yield f"Draining a node of {of} has no time limit."
        else:
            time = duration(exactly(seconds / SECONDS_PER_MINUTE))
            yield f"A node of {of} waits up to {time} for its pods to leave."
    if any(each.rollout.is_held_by_budgets for each in drained):
        yield (
            "Jobs that still run then are evicted. A PodDisruptionBudget that allows no eviction "
            "holds its node for longer, without a bound."
        )


def _of_nodes(outages: Iterable[Outage]) -> str:
    pools = [pool for each in outages for pool in each.pools]
    counted = ", ".join(dict.fromkeys(pool.pool for pool in pools if pool.is_counted))
    if all(pool.nodes.low == pool.nodes.high for pool in pools):
        more = f", and counted for {counted}" if counted else ""
        return f"Node counts are those of the cluster file{more}."
    more = f"; those of {counted} were counted" if counted else ""
    return (
        f"Node counts range from the minimum to the maximum of the cluster file{more}. How many "
        "are running is not known here; pass --nodes POOL=COUNT."
    )


def _commands(outages: Iterable[Outage]) -> tuple[str, ...]:
    """Return what to run for each mechanism: before the merge, or to watch it."""
    pools: dict[Mechanism, dict[str, None]] = {}
    for each in outages:
        of_mechanism = pools.setdefault(each.rollout.mechanism, {})
        of_mechanism |= dict.fromkeys(pool.pool for pool in each.pools)
    found = (_command(mechanism, tuple(names)) for mechanism, names in pools.items())
    return tuple(dict.fromkeys(command for each in found for command in each))


def _command(mechanism: Mechanism, pools: tuple[str, ...]) -> Iterator[str]:
    selector = f"{POOL}={pools[0]}" if len(pools) == 1 else f"{POOL} in ({', '.join(pools)})"
    nodes = f"--selector {shlex.quote(selector)}"
    match mechanism:
        case Mechanism.MIG_LABEL:
            yield f"kubectl drain {nodes} --ignore-daemonsets --delete-emptydir-data"
            yield f"kubectl get nodes {nodes} --label-columns nvidia.com/mig.config.state"
            yield f"kubectl uncordon {nodes}"
        case Mechanism.DRIVER_UPGRADE | Mechanism.DRIVER_RESTART:
            state = "nvidia.com/gpu-driver-upgrade-state"
            yield f"kubectl get nodes {nodes} --label-columns {state} --watch"
        case Mechanism.DRIFT | Mechanism.CONSOLIDATION:
            yield f"kubectl get nodeclaims {nodes} --watch"
    if mechanism in _WATCHED:
        yield f"kubectl get nodes {nodes} --watch"
