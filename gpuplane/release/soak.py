"""Whether a cluster has run a change for long enough."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from semver import Version

from gpuplane.release.live_history import LiveState
from gpuplane.release.part import Parts, has_all


@dataclass(frozen=True, slots=True)
class Run:
    """A time in which all parts of a change were live at once, without a break."""

    version: str
    """The last version of it."""
    begins: dt.datetime
    next: LiveState | None = None
    """What came after it; None where it lasts."""

    @property
    def was_rolled_back(self) -> bool:
        """Whether an earlier version came after it, as where the change does harm."""
        after = None if self.next is None else self.next.version
        return after is not None and Version.parse(after) < Version.parse(self.version)

    def lasted(self, now: dt.datetime) -> dt.timedelta:
        """Return how long it has lasted, or did."""
        ends = now if self.next is None else self.next.since
        return max(ends - self.begins, dt.timedelta())


def latest_run(history: Iterable[LiveState], change: Parts) -> Run | None:
    """Return the latest time in which a change was live; None where it never was.

    `history` has the latest state first.
    """
    run, later = None, None
    for state in history:
        if state.version is not None and has_all(state.parts, change):
            run = Run(state.version if run is None else run.version, state.since, later)
        elif run is not None:
            return run
        else:
            later = state
    return run
