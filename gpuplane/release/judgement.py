"""Judging a version that would go live: refusals, warnings and notes."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

from charts_py.cluster_file.kubernetes_version import Promotion
from gpuplane.release.live_history import Move, live_at, live_history, parts_in_words, parts_of
from gpuplane.release.rules import (
    Predecessor,
    Reason,
    Soak,
    calendar_reasons,
    chain_reason,
    declared_rules,
    instant_in_words,
    soak_of,
)
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import RECORD_FILE, read_record_file
from gpuplane.versions.snapshot import ClusterSnapshot, Snapshot, WorkTree

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The refusals of a move, with warnings and notes."""

    move: Move
    refusals: tuple[Reason, ...] = ()
    """Each refuses the move, unless somebody overrides them."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Each speaks for the move."""
    override: str | None = None
    """The reason to move nevertheless."""

    @property
    def is_refused(self) -> bool:
        return bool(self.refusals) and not self.override


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges moves by the rules of the work tree and of the main branch.

    Both count, so that no change lifts a rule and uses that at once.
    """

    clusters: Path
    """Folder of the cluster files."""
    dist: Path
    main_branch: MainBranch
    now: dt.datetime

    def judge(self, move: Move) -> Judgement:
        """Judge a move; raise DistError, or GitError where git cannot tell.

        Going back to what was live before is never refused: what would refuse it is a warning.
        """
        rules = self._rules(move.cluster)
        parts = [*self._by_chain(move, rules)]
        by_calendar = calendar_reasons(rules, move.cluster, self.now)
        reasons = _each_once(chain(by_calendar, *(part.refusals for part in parts)))
        warnings = _each_once(chain(*(part.warnings for part in parts)))
        notes = _each_once(chain(*(part.notes for part in parts)))
        if move.is_rollback:
            lifted = (f"going back is not held up by {reason}" for reason in reasons)
            return Judgement(move, warnings=(*warnings, *lifted), notes=notes)
        return Judgement(move, reasons, warnings, notes)

    def _by_chain(self, move: Move, rules: Iterable[Promotion]) -> Iterator[Judgement]:
        for each in rules:
            if (name := each.before(move.cluster)) and move.change:
                yield self._by_predecessor(move, name, each.soak_hours)

    def _by_predecessor(self, move: Move, name: str, soak_hours: int) -> Judgement:
        before = self._predecessor(name)
        soak = soak_of(move, before, is_rendered=self._is_rendered(move))
        reason = chain_reason(soak, name, soak_hours, self.now)
        warnings = _untried(soak, name)
        if reason is None:
            return Judgement(move, (), tuple(warnings), tuple(_tried(soak, name)))
        return Judgement(move, (reason,), (*warnings, *_first(before), *self._cut_off(name)))

    def _rules(self, cluster: str) -> tuple[Promotion, ...]:
        states: list[Snapshot] = [WorkTree()]
        if self.main_branch.commit is not None:
            states.append(self.main_branch.commit)
        found = (declared_rules(state, self.clusters, cluster) for state in states)
        return tuple(dict.fromkeys(found))

    def _predecessor(self, name: str) -> Predecessor:
        main, version = self.main_branch.commit, self._rendered(name)
        file = None if version is None else self.dist / name / version / RECORD_FILE
        rendered = read_record_file(file) if file and file.is_file() else None
        _, live = (None, None) if main is None else live_at(main, self.dist, name)
        return Predecessor(
            name,
            rendered=parts_of(rendered),
            live=parts_of(live),
            renders_what_is_live=rendered is not None and rendered.has_objects_of(live),
            history=() if main is None else live_history(main, self.dist, name),
        )

    def _cut_off(self, cluster: str) -> list[str]:
        main = self.main_branch.commit
        if main is None or not main.checkout.is_shallow():
            return []
        what = f"this clone is shallow, and may lack when {cluster} began"
        return [f"{what}: git fetch --unshallow"]

    def _is_rendered(self, move: Move) -> bool:
        return self._rendered(move.cluster) == move.new.version

    def _rendered(self, cluster: str) -> str | None:
        return ClusterSnapshot(WorkTree(), self.clusters, self.dist, cluster).declared.version


def _each_once(items: Iterable[_Item]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(items))


def _first(before: Predecessor) -> list[str]:
    """Return what to do first where a cluster does not run what it renders."""
    if before.renders_what_is_live or not before.rendered:
        return []
    return [f"{before.name} does not run what it renders: gpuplane promote {before.name} first"]


def _untried(soak: Soak, before: str) -> list[str]:
    if not soak.untried:
        return []
    return [f"not tried before: {parts_in_words(soak.untried)}, which changes nothing of {before}"]


def _tried(soak: Soak, before: str) -> list[str]:
    if soak.run is None:
        return []
    return [
        f"{before} has run {parts_in_words(soak.tried)} since {instant_in_words(soak.run.begins)}"
    ]
