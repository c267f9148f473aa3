"""On how much a replica runs, as far as nobody says so."""

from collections.abc import Iterable

from gpuplane.workloads.asked import Asked
from gpuplane.workloads.serving.fit import Demand, Room, Split, smallest, splits


def chosen_split(asked: Asked, room: Room, demand: Demand, *, spans_nodes: bool) -> Split:
    """Return the smallest split on which it fits, of those that are asked for, or else the largest.

    That it fits on none, and that the engine cannot span nodes, is told of what is returned.
    """
    ways = [each for each in _ways(asked, room) if each.nodes == 1 or spans_nodes]
    found = smallest(demand, room, ways) or (ways[-1] if ways else Split(room.gpus, 1))
    gpus, nodes = asked.gpus, asked.nodes
    return Split(found.gpus if gpus is None else gpus, found.nodes if nodes is None else nodes)


def _ways(asked: Asked, room: Room) -> Iterable[Split]:
    """Yield several nodes only where a pod has all GPUs of each."""
    if asked.gpus is not None and asked.gpus < 1:
        return []
    ways = [*splits(room)]
    full = max(each.gpus for each in ways)
    gpus = full if asked.gpus is None else asked.gpus
    if asked.nodes is not None and asked.nodes > 1:
        return [Split(gpus, asked.nodes)]
    if asked.gpus is not None:
        ways = [Split(gpus, 1), *(each for each in ways if each.nodes > 1 and gpus == full)]
    return (each for each in ways if asked.nodes in (None, each.nodes))
