"""Judging a version that would go live: refusals, warnings and notes."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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
    latest_run_of,
    rollback_reason,
    soak_of,
)
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import RECORD_FILE, is_prerelease, read_record_file
from gpuplane.versions.snapshot import ClusterSnapshot, Snapshot, WorkTree


@dataclass(frozen=True, slots=True)
class Judgement:
    move: Move
    refusals: tuple[Reason, ...] = ()
    """Each refuses the move, unless somebody overrides them."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Each speaks for the move."""
    override: str | None = None

    @property
    def is_refused(self) -> bool:
        return bool(self.refusals) and not self.override


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges moves by the rules of the work tree and of the main branch.

    Both count, so that no change lifts a rule and uses that at once.
    """

    clusters: Path
    dist: Path
    main_branch: MainBranch
    now: dt.datetime

    def judge(self, move: Move) -> Judgement:
        """Judge a move; raise DistError, or GitError where git cannot tell.

        Going back to what was live before is never refused: what would refuse it is a warning.
        """
        rules = self._rules(move.cluster)
        # Several states may have the same rules; each is told once.
        reasons = dict.fromkeys(calendar_reasons(rules, move.cluster, self.now))
        warnings, notes = dict.fromkeys(_of_prerelease(move)), dict[str, None]()
        for each in rules:
            if (name := each.before(move.cluster)) and move.change:
                part = self._by_predecessor(move, name, each.soak_hours)
                reasons |= dict.fromkeys(part.refusals)
                warnings |= dict.fromkeys(part.warnings)
                notes |= dict.fromkeys(part.notes)
            reasons |= dict.fromkeys(self._rollbacks(move, each.chain))
        if move.is_rollback:
            lifted = (f"going back is not held up by {reason}" for reason in reasons)
            return Judgement(move, warnings=(*warnings, *lifted), notes=tuple(notes))
        return Judgement(move, tuple(reasons), tuple(warnings), tuple(notes))

    def _by_predecessor(self, move: Move, name: str, soak_hours: int) -> Judgement:
        before = self._predecessor(name)
        soak = self._soak(move, before)
        reason = chain_reason(soak, name, soak_hours, self.now)
        warnings, notes = [], []
        if soak.untried:
            untried = parts_in_words(soak.untried)
            warnings.append(f"not tried before: {untried}, which changes nothing of {name}")
        if reason is None and soak.run is not None:
            since = instant_in_words(soak.run.begins)
            notes.append(f"{name} has run {parts_in_words(soak.tried)} since {since}")
        if reason is not None and before.rendered and not before.renders_what_is_live:
            warnings.append(f"{name} does not run what it renders: gpuplane promote {name} first")
        main = self.main_branch.commit
        if reason is not None and main is not None and main.checkout.is_shallow():
            cut_off = f"this clone is shallow, and may lack when {name} began"
            warnings.append(f"{cut_off}: git fetch --unshallow")
        return Judgement(move, (reason,) if reason else (), tuple(warnings), tuple(notes))

    def _rollbacks(self, move: Move, chain: Sequence[str]) -> Iterator[Reason]:
        """Yield where on a chain the change was rolled back, and did not go live again.

        On the cluster itself that counts for the same version: the next one may be its remedy.
        """
        main = self.main_branch.commit
        if main is None or move.cluster not in chain:
            return
        for name in chain:
            if name == move.cluster:
                history = live_history(main, self.dist, name)
                found = rollback_reason(latest_run_of(history, move.new.version), name, {})
            else:
                soak = self._soak(move, self._predecessor(name))
                found = rollback_reason(soak.run, name, soak.tried)
            if found is not None:
                yield found

    def _soak(self, move: Move, before: Predecessor) -> Soak:
        is_rendered = self._rendered(move.cluster) == move.new.version
        return soak_of(move, before, is_rendered=is_rendered)

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
            rendered=parts_of(rendered),
            live=parts_of(live),
            renders_what_is_live=rendered is not None and rendered.has_objects_of(live),
            history=() if main is None else live_history(main, self.dist, name),
        )

    def _rendered(self, cluster: str) -> str | None:
        return ClusterSnapshot(WorkTree(), self.clusters, self.dist, cluster).declared.version


def _of_prerelease(move: Move) -> Iterator[str]:
    if is_prerelease(move.new.version):
        yield (
            f"{move.new.version} is no release: whatever is rendered under it next goes live with "
            f"the merge; gpuplane release {move.cluster} cuts one first"
        )
