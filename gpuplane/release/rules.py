"""The rules of promotion, and whether a version keeps to them.

In a chain a change goes live on a cluster once the one before has run it for long enough; freezes
and holds keep a cluster as it is.
"""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError
from semver import Version

from charts_py.cluster_file.cluster_files import FLEET_FILE, SUFFIX, find_cluster_files
from charts_py.cluster_file.kubernetes_version import Promotion
from charts_py.cluster_file.source import Source, lay_over, source_of
from charts_py.load import load_platform
from gpuplane.release.live_history import LiveState, Move, Part, PartKind, Parts, parts_in_words
from gpuplane.versions.snapshot import Snapshot, WorkTree
from gpuplane.versions.tree import DistError


@dataclass(frozen=True, slots=True)
class Run:
    """A time without a break in which all parts of a change were live at once."""

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
        ends = now if self.next is None else self.next.since
        return max(ends - self.begins, dt.timedelta())


class Rule(StrEnum):
    """A rule that can refuse a move."""

    CHAIN = "chain"
    FREEZE = "freeze"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule that refuses a move, and why."""

    rule: Rule
    what: str
    ends: dt.datetime | None = None
    """When the rule stops refusing if nothing else changes; None where that is open."""

    def __str__(self) -> str:
        end = "" if self.ends is None else f"; ends at {instant_in_words(self.ends)}"
        return f"{self.rule}: {self.what}{end}"


def instant_in_words(instant: dt.datetime) -> str:
    return instant.isoformat(timespec="minutes").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class Predecessor:
    """The cluster before in a chain."""

    rendered: Parts
    """Parts of the version that its file names, whether or not it is live."""
    live: Parts
    """Parts of the version that is live on it by the main branch."""
    renders_what_is_live: bool
    history: Iterable[LiveState]
    """What was live on it, the latest first."""


@dataclass(frozen=True, slots=True)
class Soak:
    """How far the cluster before has tried a move."""

    tried: Parts
    """The parts of the change that it must have run."""
    untried: Parts
    """The parts of the change that it does not have, so that it cannot try them."""
    run: Run | None = None
    """When it last ran what it must have run; None where it never did, or must not."""


def soak_of(move: Move, before: Predecessor, *, is_rendered: bool) -> Soak:
    """Return how far the cluster before has tried a move.

    It cannot run a chart that it lacks. `is_rendered` says that the new version is the one that
    its file names. Both clusters render the same sources then, which `gpuplane synth --check`
    proves; so what the version of the cluster before does not have leaves its objects as they are,
    and it can never run it. That is only so where its version is what it runs: what differs from
    that may be what keeps the change away from it.
    """
    is_settled = is_rendered and before.renders_what_is_live
    tried, untried = dict[Part, str](), dict[Part, str]()
    for part, value in move.change.items():
        if part.kind is PartKind.CHART:
            can_try = part in before.rendered or part in before.live
        else:
            can_try = not is_settled or before.rendered.get(part, "") == value
        (tried if can_try else untried)[part] = value
    return Soak(tried, untried, latest_run(before.history, tried) if tried else None)


def chain_reason(soak: Soak, cluster: str, hours: int, now: dt.datetime) -> Reason | None:
    """Return why a change may not go live yet on the cluster after `cluster`; None where it may."""
    if not soak.tried:
        return None
    change, run = parts_in_words(soak.tried), soak.run
    if run is None:
        return Reason(Rule.CHAIN, f"{cluster} has not run {change}")
    if (rolled_back := rollback_reason(run, cluster, soak.tried)) is not None:
        return rolled_back
    lasted, wanted = run.lasted(now), dt.timedelta(hours=hours)
    if lasted >= wanted:
        return None
    ran = f"{int(lasted.total_seconds() // 360) / 10:g} h of {hours} h"
    if run.next is not None:
        what = f"{cluster} ran {change} for {ran}, until {instant_in_words(run.next.since)}"
        return Reason(Rule.CHAIN, what)
    what = f"{cluster} has run {change} for {ran}, since {instant_in_words(run.begins)}"
    return Reason(Rule.CHAIN, what, run.begins + wanted)


def rollback_reason(run: Run | None, cluster: str, change: Parts) -> Reason | None:
    """Return that a run ended with a roll-back; None where it did not, and without one."""
    if run is None or run.next is None or not run.was_rolled_back:
        return None
    when = f"from {run.version} to {run.next.version} at {instant_in_words(run.next.since)}"
    of_what = f", and so from {parts_in_words(change)}" if change else ""
    return Reason(Rule.CHAIN, f"{cluster} was rolled back {when}{of_what}")


def latest_run_of(history: Iterable[LiveState], version: str) -> Run | None:
    """Return the latest time in which a version was live, by its last state."""
    later = None
    for state in history:
        if state.version == version:
            return Run(version, state.since, later)
        later = state
    return None


def latest_run(history: Iterable[LiveState], change: Parts) -> Run | None:
    """Return the latest time in which a change was live; None where it never was.

    `history` has the latest state first.
    """
    run, later = None, None
    for state in history:
        has_all = all(state.parts.get(part, "") == value for part, value in change.items())
        if state.version is not None and has_all:
            run = Run(state.version if run is None else run.version, state.since, later)
        elif run is not None:
            return run
        else:
            later = state
    return run


def calendar_reasons(
    rules: Iterable[Promotion], cluster: str, now: dt.datetime
) -> Iterator[Reason]:
    """Yield why nothing may go live on a cluster now, by the rules of each state."""
    for promotion in rules:
        hold = promotion.hold
        if hold is not None and now < hold.ends:
            yield Reason(Rule.HOLD, f"{hold.reason} (owner: {hold.owner})", hold.ends)
        for freeze in promotion.freezes:
            if freeze.holds(cluster, now):
                yield Reason(Rule.FREEZE, freeze.reason, freeze.ends)


def declared_rules(snapshot: Snapshot, clusters: Path, cluster: str) -> Promotion:
    """Return the rules for a cluster, in its file over what the fleet shares.

    Raises SpecError for what is wrong with them in the work tree, and DistError in a commit.
    """
    own = _read(snapshot, clusters / f"{cluster}{SUFFIX}")
    content = lay_over(_read(snapshot, clusters / FLEET_FILE), own).content
    try:
        stated = {} if content is None else content.get("promotion", {})
        return Promotion.model_validate_json(json.dumps(stated), strict=True)
    except ValidationError as error:
        file = clusters / f"{cluster}{SUFFIX}"
        if isinstance(snapshot, WorkTree):
            # It says what is wrong, and where.
            load_platform(file, find_cluster_files(clusters).fleet)
        raise DistError(f"{snapshot.name(file)}: promotion is not understood") from error


def _read(snapshot: Snapshot, file: Path) -> Source:
    content = snapshot.read(file)
    if content is None:
        return Source({}, {})
    source = source_of(content, snapshot.name(file))
    # What is wrong on the main branch may be what a change mends.
    if source.content is None and isinstance(snapshot, WorkTree):
        raise DistError("\n".join(map(str, source.faults)))
    return source
