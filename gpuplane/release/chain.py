"""The chain: a change goes live on a cluster once the one before has run it for long enough."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from gpuplane.release.live_history import LiveState
from gpuplane.release.move import Move
from gpuplane.release.part import Part, PartKind, Parts, in_words as parts_in_words
from gpuplane.release.reason import Reason, Rule, in_words
from gpuplane.release.soak import Run, latest_run


@dataclass(frozen=True, slots=True)
class Predecessor:
    """The cluster before in a chain."""

    name: str
    rendered: Parts
    """Those of the version that its file names, whether or not that is live."""
    live: Parts
    """Those of what is live on it by the main branch."""
    renders_what_is_live: bool
    """Whether both are the same objects."""
    history: Iterable[LiveState]
    """What was live on it, the latest first."""

    def has_chart(self, chart: Part) -> bool:
        """Return whether it has a chart, in whichever version."""
        return chart in self.rendered or chart in self.live


@dataclass(frozen=True, slots=True)
class Soak:
    """What the cluster before says of a move."""

    tried: Parts
    """What of the change it has to have run."""
    untried: Parts
    """What of the change is not part of it, so that it says nothing about that."""
    run: Run | None = None
    """When it last ran what it has to have run; None where it never did, or there is nothing."""


def soak_of(move: Move, before: Predecessor, *, is_rendered: bool) -> Soak:
    """Return what the cluster before says of a move.

    It cannot run a chart that it lacks. `is_rendered` says that the new version is the one that
    its file names. Both clusters render the same sources then, which `gpuplane synth --check`
    proves; so what the version of the cluster before does not have leaves its objects as they are,
    and it can never run it. That is only so where its version is what it runs: what differs from
    that may be what keeps the change away from it.
    """
    is_settled = is_rendered and before.renders_what_is_live
    untried = {
        part: value
        for part, value in move.change.items()
        if _is_no_part(part, value, before, is_settled=is_settled)
    }
    tried = {part: value for part, value in move.change.items() if part not in untried}
    return Soak(tried, untried, latest_run(before.history, tried) if tried else None)


def _is_no_part(part: Part, value: str, before: Predecessor, *, is_settled: bool) -> bool:
    if part.kind is PartKind.CHART:
        return not before.has_chart(part)
    return is_settled and before.rendered.get(part, "") != value


def chain_reason(soak: Soak, cluster: str, hours: int, now: dt.datetime) -> Reason | None:
    """Return why a change may not go live yet on the cluster after `cluster`; None where it may."""
    if not soak.tried:
        return None
    change, run = parts_in_words(soak.tried), soak.run
    if run is None:
        return Reason(Rule.CHAIN, f"{cluster} has not run {change}")
    if run.was_rolled_back and run.next is not None:
        when = f"from {run.version} to {run.next.version} at {in_words(run.next.since)}"
        return Reason(Rule.CHAIN, f"{cluster} was rolled back {when}, and so from {change}")
    lasted, wanted = run.lasted(now), dt.timedelta(hours=hours)
    if lasted >= wanted:
        return None
    ran = f"{_hours(lasted)} of {hours} h"
    if run.next is not None:
        what = f"{cluster} ran {change} for {ran}, until {in_words(run.next.since)}"
        return Reason(Rule.CHAIN, what)
    what = f"{cluster} has run {change} for {ran}, since {in_words(run.begins)}"
    return Reason(Rule.CHAIN, what, run.begins + wanted)


def _hours(time: dt.timedelta) -> str:
    return f"{int(time.total_seconds() // 360) / 10:g} h"
