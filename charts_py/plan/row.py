"""One line of the table that says what a change does."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from charts_py.plan.effect import Change, Effect
from charts_py.plan.field_path import ChangedField, is_below, segments_of, shared_path
from charts_py.plan.object_change import ObjectChange
from charts_py.plan.rollout import Rollout
from charts_py.plan.verdict import Verdict
from charts_py.release.diff.values import shown_value

Condition: TypeAlias = Callable[[ObjectChange, ChangedField], bool]
"""Tells whether a changed field is what a row is about."""

Rollouts: TypeAlias = Callable[[ObjectChange], tuple[Rollout, ...]]
"""Finds how a change reaches nodes."""

CHANGED = (Change.CHANGED,)
ADDED = (Change.ADDED,)
REMOVED = (Change.REMOVED,)
EITHER_SIDE = (Change.ADDED, Change.REMOVED)


@dataclass(frozen=True, slots=True)
class Row:
    """What a change of some fields, or of objects as a whole, does."""

    kinds: tuple[str, ...]
    """As `NodePool.karpenter.sh`, or with a name as `ConfigMap/argocd-cm`; `*` is anything."""
    verdict: Verdict
    reason: str
    """A sentence; `{name}` is the object's, and `{old}` and `{new}` are the values of the field."""
    source: str
    fields: tuple[str, ...] = ()
    """As `spec.limits`, with all that is in them; `*` is any name. None: the object as a whole."""
    changes: tuple[Change, ...] = CHANGED
    """What becomes of the object."""
    when: Condition | None = None
    only: Callable[[ObjectChange], bool] | None = None
    """Which objects, beyond their kind."""
    is_certain: bool = True
    is_noise: bool = False
    rollouts: Rollouts | None = None

    def covers(self, change: ObjectChange, field: ChangedField | None) -> bool:
        """Tell whether it says something of a field of the object, or of the object as a whole."""
        if change.change not in self.changes or not change.is_any(self.kinds):
            return False
        if self.only is not None and not self.only(change):
            return False
        if field is None:
            return not self.fields
        return any(is_below(field.segments, segments_of(each)) for each in self.fields) and (
            self.when is None or self.when(change, field)
        )

    def effects(self, change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
        """Yield what it says of these fields, each of which it covers."""
        values = {"name": change.placed.key.name, "old": "", "new": ""}
        if len(fields) == 1:
            values |= {"old": _shown(fields[0].old), "new": _shown(fields[0].new)}
        elif fields:
            values |= {"old": "what it was", "new": "what it is"}
        yield Effect(
            verdict=self.verdict,
            field=shared_path(tuple(field.path for field in fields)) if fields else "",
            reason=self.reason.format_map(values),
            source=self.source,
            is_certain=self.is_certain,
            is_noise=self.is_noise,
            rollouts=self.rollouts(change) if self.rollouts else (),
        )


@dataclass(frozen=True, slots=True)
class Judge:
    """A row that has to look at both sides of an object to say what some fields do."""

    kinds: tuple[str, ...]
    fields: tuple[str, ...]
    judge: Callable[[ObjectChange, tuple[ChangedField, ...]], Iterable[Effect]]
    changes: tuple[Change, ...] = CHANGED

    def covers(self, change: ObjectChange, field: ChangedField | None) -> bool:
        """Tell whether it says something of a field of the object, or of the object as a whole."""
        if change.change not in self.changes or not change.is_any(self.kinds):
            return False
        if field is None:
            return not self.fields
        return any(is_below(field.segments, segments_of(each)) for each in self.fields)

    def effects(self, change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
        """Return what it finds."""
        return self.judge(change, fields)


AnyRow: TypeAlias = Row | Judge


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    return "nothing" if not isinstance(value, (int, float, list, dict)) else shown_value(value)
