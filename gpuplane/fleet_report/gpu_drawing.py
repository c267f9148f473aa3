"""What one GPU of a pool is cut into, as it is drawn."""

from dataclasses import dataclass

from gpus.mig import MigGeometry
from gpus.sharing import Sharing


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """A MIG instance, or a slice that no instance takes."""

    profile: str
    """Empty for what is unused."""
    start: int
    """First memory slice."""
    width: int
    """Memory slices."""


def drawn_parts(sharing: Sharing, geometry: MigGeometry) -> tuple[DrawnPart, ...]:
    """Return the parts of a GPU from left to right, in one of the ways to place its layout."""
    placed = [
        DrawnPart(each.profile.name, each.start, each.profile.memory_slices)
        for each in geometry.placement(dict(sharing.mig)) or ()
    ]
    taken = {slot for part in placed for slot in range(part.start, part.start + part.width)}
    unused = (DrawnPart("", slot, 1) for slot in range(geometry.memory_slices) if slot not in taken)
    return tuple(sorted((*placed, *unused), key=lambda part: part.start))
