"""What one GPU of a pool is cut into, as it is drawn."""

from dataclasses import dataclass

from gpus.mig import MigGeometry
from gpus.sharing import Sharing


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A GPU, a MIG instance, or slices that no instance takes."""

    label: str
    """The MIG profile; `whole GPU` without MIG, empty for what is unused."""
    start: int
    """First memory slice."""
    width: int
    """Memory slices."""
    kind: int
    """Number of its profile in the layout, from 0; -1 for what is unused."""
    replicas: int
    """How many pods share it."""


@dataclass(frozen=True, slots=True)
class GpuDrawing:
    """One GPU of a pool, as all of them are."""

    anchor: str
    cluster: str
    pool: str
    model: str
    slices: int
    """Memory slices; 1 without MIG."""
    parts: tuple[DrawnPart, ...]
    sharing: str
    """The sharing in words, as in `1g.10gb x 7, each for 4 pods in turns`."""
    arithmetic: str
    """From nodes to allocations."""


@dataclass(frozen=True, slots=True)
class GpuDrawings:
    """The GPUs of all pools."""

    name: str
    drawings: tuple[GpuDrawing, ...]


def drawn_parts(sharing: Sharing, geometry: MigGeometry | None) -> tuple[DrawnPart, ...]:
    """Return the parts of a GPU from left to right, in one of the ways to place its layout."""
    layout = dict(sharing.mig)
    if not layout or geometry is None:
        return (DrawnPart("whole GPU", 0, 1, 0, sharing.replicas),)
    kinds = list(layout)
    placed = [
        DrawnPart(
            label=instance.profile.name,
            start=instance.start,
            width=instance.profile.memory_slices,
            kind=kinds.index(instance.profile.name),
            replicas=sharing.replicas,
        )
        for instance in geometry.placement(layout) or ()
    ]
    taken = {slot for part in placed for slot in range(part.start, part.start + part.width)}
    free = (slot for slot in range(geometry.memory_slices) if slot not in taken)
    unused = (DrawnPart("", slot, 1, -1, 1) for slot in free)
    return tuple(sorted((*placed, *unused), key=lambda part: part.start))
