"""Multi-Instance GPU: which partitions fit together on one GPU.

A GPU in MIG mode is cut into compute slices and memory slices. A profile takes a number of
each, and its memory slices are adjacent and start at one of a few positions. So a layout can fit
by its sums and still have no placement.

Source: https://docs.nvidia.com/datacenter/tesla/mig-user-guide/
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gpus.nearest import nearest, nearest_hint

MigLayout: TypeAlias = Mapping[str, int]
"""How many instances of each profile one GPU has."""

ALL_DISABLED = "all-disabled"
"""Name of the MIG manager's configuration by which GPUs are whole."""

_BUDGETS = ("compute_slices", "memory_slices", "media_engines")
"""The instances of a GPU share these out; both the profile and the geometry have the fields."""


@dataclass(frozen=True, slots=True)
class MigProfile:
    """A kind of GPU instance, such as `1g.10gb`."""

    name: str
    compute_slices: int
    memory_slices: int
    starts: tuple[int, ...]
    """The memory slices at which an instance can start."""
    max_count: int
    media_engines: int = 0
    """How many of the GPU's media engines an instance claims."""

    @property
    def resource_suffix(self) -> str:
        """What follows `nvidia.com/` in the name of its resource under the mixed MIG strategy."""
        return f"mig-{format_profile(self.name)}"


@dataclass(frozen=True, slots=True)
class PlacedInstance:
    """An instance, and the first of its memory slices."""

    profile: MigProfile
    start: int


def format_profile(profile: str) -> str:
    """Format a profile for resource names, label values and ConfigMap keys: `+` becomes `.`."""
    return profile.replace("+", ".")


@dataclass(frozen=True, slots=True)
class MigGeometry:
    """The slices of a GPU and the profiles that can be cut from them."""

    compute_slices: int
    memory_slices: int
    profiles: tuple[MigProfile, ...]
    media_engines: int = 1
    """The engines that the instances share out; what a `+me` profile adds counts as one."""

    def profile(self, name: str) -> MigProfile:
        """Return the profile of that name; raise KeyError when there is none."""
        for profile in self.profiles:
            if profile.name == name:
                return profile
        raise KeyError(name)

    def problem(self, layout: MigLayout) -> str | None:
        """Return None when one GPU can hold the layout, else a sentence that says why not."""
        names = [profile.name for profile in self.profiles]
        if not layout:
            return f"no profile is given; allowed: {', '.join(names)}"
        for name, count in layout.items():
            if name not in names:
                hint = nearest_hint(nearest(name, names))
                return f"unknown MIG profile {name}; allowed: {', '.join(names)}{hint}"
            limit = self.profile(name).max_count
            if not 1 <= count <= limit:
                return f"{name} x {count} is out of bounds; allowed: 1 to {limit}"
        return self._sum_problem(layout) or self._placement_problem(layout)

    def _sum_problem(self, layout: MigLayout) -> str | None:
        for budget in _BUDGETS:
            limit = getattr(self, budget)
            needed = sum(getattr(self.profile(name), budget) * n for name, n in layout.items())
            if needed > limit:
                return f"{_formatted(layout)} needs {needed} of {limit} {budget.replace('_', ' ')}"
        return None

    def placement(self, layout: MigLayout) -> tuple[PlacedInstance, ...] | None:
        """Return one way to place a layout on the memory slices; None where there is none."""
        instances = [self.profile(name) for name, count in layout.items() for _ in range(count)]
        # The widest first: they fit in the fewest places, so a dead end shows early.
        instances.sort(key=lambda profile: (-profile.memory_slices, profile.name))
        return _placed(instances, occupied=0)

    def _placement_problem(self, layout: MigLayout) -> str | None:
        if self.placement(layout) is not None:
            return None
        starts = "; ".join(
            f"{name} starts at {', '.join(map(str, self.profile(name).starts))}" for name in layout
        )
        return (
            f"{_formatted(layout)} fits by its sums, but has no placement on "
            f"{self.memory_slices} memory slices: {starts}"
        )


def _formatted(layout: MigLayout) -> str:
    return " + ".join(f"{name} x {count}" for name, count in layout.items())


def _placed(instances: list[MigProfile], occupied: int) -> tuple[PlacedInstance, ...] | None:
    if not instances:
        return ()
    first, *rest = instances
    block = (1 << first.memory_slices) - 1
    for start in first.starts:
        if not occupied & block << start:
            others = _placed(rest, occupied | block << start)
            if others is not None:
                return (PlacedInstance(first, start), *others)
    return None
