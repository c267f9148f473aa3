"""A row of the tables that say what changes do."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from charts_py.objects.fields import Absent
from gpuplane.plan.effect import Change, Effect, Verdict
from gpuplane.plan.fields import ChangedField, is_below, segments_of, shared_path
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.rollout import Rollout
from gpuplane.versions.difference_format import shown_value

FieldCondition: TypeAlias = Callable[[ObjectChange, ChangedField], bool]
"""Says whether a row is about a changed field."""

ObjectCondition: TypeAlias = Callable[[ObjectChange], bool]
"""Says whether a row is about an object."""

Rollouts: TypeAlias = Callable[[ObjectChange], tuple[Rollout, ...]]
"""Finds how a change reaches nodes."""

Judgement: TypeAlias = Callable[[ObjectChange, tuple[ChangedField, ...]], Iterable[Effect]]
"""Looks at both sides of an object to say what some fields do."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a change of some fields, or of objects as a whole, does."""

    kinds: tuple[str, ...]
    """`NodePool.karpenter.sh` is a kind, `ConfigMap/argocd-cm` an object; `*` is anything."""
    verdict: Verdict
    reason: str
    """A sentence; `{name}` is the object's, and `{old}` and `{new}` are the values of the field."""
    source: str
    fields: tuple[str, ...] = ()
    """Paths such as `spec.limits`, with all below; `*` is any name. None is the whole object."""
    changes: tuple[Change, ...] = (Change.CHANGED,)
    """The row is about objects to which this happens."""
    except_fields: tuple[str, ...] = ()
    """Paths below these fields that the row does not cover."""
    new: str | bool | None = None
    """The value that such a field gets; any by default."""
    field_condition: FieldCondition | None = None
    """Selects some of these fields."""
    object_condition: ObjectCondition | None = None
    """Selects some objects of these kinds."""
    is_certain: bool = True
    is_noise: bool = False
    rollouts: Rollouts | None = None

    def is_about(self, change: ObjectChange) -> bool:
        return _is_about(self, change) and (
            self.object_condition is None or self.object_condition(change)
        )

    def covers(self, change: ObjectChange, field: ChangedField) -> bool:
        """Say whether the row is about a field of an object that it is about."""
        return (
            _is_below_any(field, self.fields)
            and not _is_below_any(field, self.except_fields)
            and (self.new is None or (type(field.new), field.new) == (type(self.new), self.new))
            and (self.field_condition is None or self.field_condition(change, field))
        )

    def effects(self, change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
        """Yield what the row says of these fields, all of which it covers: one effect if it can."""
        if fields and ("{old}" in self.reason or "{new}" in self.reason):
            for field in fields:
                yield self._effect(change, field.path, (field.old, field.new))
        else:
            yield self._effect(change, shared_path(tuple(each.path for each in fields)))

    def _effect(
        self, change: ObjectChange, path: str, values: tuple[Any, Any] = (None, None)
    ) -> Effect:
        old, new = map(shown, values)
        return Effect(
            verdict=self.verdict,
            field=path,
            reason=self.reason.format(name=change.placed.key.name, old=old, new=new),
            source=self.source,
            is_certain=self.is_certain,
            is_noise=self.is_noise,
            rollouts=self.rollouts(change) if self.rollouts else (),
        )


@dataclass(frozen=True, slots=True)
class Judge:
    """A row of which a function says what some fields do."""

    kinds: tuple[str, ...]
    fields: tuple[str, ...]
    judge: Judgement
    changes: tuple[Change, ...] = (Change.CHANGED,)

    def is_about(self, change: ObjectChange) -> bool:
        return _is_about(self, change)

    def covers(self, _: ObjectChange, field: ChangedField) -> bool:
        return _is_below_any(field, self.fields)

    def effects(self, change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
        return self.judge(change, fields)


AnyRow: TypeAlias = Row | Judge


def shown(value: Any) -> str:
    """Return the value of a field as a reason names it."""
    if value is Absent.ABSENT:
        return "none"
    return value if isinstance(value, str) else shown_value(value)


def _is_about(row: AnyRow, change: ObjectChange) -> bool:
    return change.change in row.changes and change.is_any(row.kinds)


def _is_below_any(field: ChangedField, paths: tuple[str, ...]) -> bool:
    return any(is_below(field.segments, segments_of(each)) for each in paths)
