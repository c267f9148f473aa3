"""The rows that say what changes do, as the tables in this folder have them."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from types import FunctionType
from typing import Any

import msgspec

from charts_py.components.idle_gpus.objects import ROUNDS as CULLING
from charts_py.components.webhook.server import (
    NAME as WEBHOOK,
    NAMESPACE as WEBHOOK_NAMESPACE,
    SETTINGS_CONFIG_MAP,
)
from gpuplane.plan import object_change
from gpuplane.plan.effect import Change, Effect, Verdict
from gpuplane.plan.effects import (
    admission,
    argo_cd,
    cloud_pools,
    culling,
    efa_device_plugin,
    gpu_operator,
    karpenter,
    kubernetes,
    network_policies,
    node_labels,
    queues,
    rule_settings,
    sharing,
)
from gpuplane.plan.fields import ChangedField, is_below, segments_of, shared_path, shown
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.sources import expanded, read_table, source
from gpus.platform_names import LABEL_PREFIX

TABLES = (
    "any_kind_first",
    "immutable",
    "karpenter",
    "node_labels",
    "cloud_pools",
    "feature_rules",
    "gpu_operator",
    "admission",
    "argo_cd",
    "monitoring",
    "core",
    "workloads",
    "quotas",
    "kueue",
    "schedulers",
    "device_classes",
    "gateways",
    "definitions",
    "kubernetes_upgrade",
    "any_kind_last",
)
"""The tables in the order in which their rows are asked."""
_MODULES = (
    object_change,
    admission,
    argo_cd,
    cloud_pools,
    culling,
    efa_device_plugin,
    gpu_operator,
    karpenter,
    kubernetes,
    network_policies,
    node_labels,
    queues,
    rule_settings,
    sharing,
)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: member
    for module in _MODULES
    for name, member in vars(module).items()
    if isinstance(member, FunctionType) and member.__module__ == module.__name__
}


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a change of some fields, or of objects as a whole, does."""

    kinds: tuple[str, ...]
    """`NodePool.karpenter.sh` is a kind, `ConfigMap/argocd-cm` an object; `*` is anything."""
    changes: tuple[Change, ...] = (Change.CHANGED,)
    """The row is about objects to which this happens."""
    fields: tuple[str, ...] = ()
    """Paths such as `spec.limits`, with all below; `*` is any name. None is the whole object."""
    except_fields: tuple[str, ...] = ()
    """Paths below these fields that the row does not cover."""
    new: str | bool | None = None
    field_condition: str | None = None
    """A function of an ObjectChange and a ChangedField that selects some of these fields; `not
    NAME` negates a condition, here and below."""
    object_condition: str | None = None
    """A function of an ObjectChange that selects some objects of these kinds."""
    word: str = msgspec.field(default="", name="verdict")
    reason: str = ""
    """A sentence; `{name}` is the object's, and `{old}` and `{new}` are the values of the field, or
    the versions of an upgrade; `{label}` is the last name on the path of the field."""
    source: str = ""
    is_certain: bool = True
    is_possible: bool = False
    asks_nobody: bool = False
    is_noise: bool = False
    told: str = ""
    """What the first sentence says of all such objects: see `object_clauses`."""
    rollouts: str | None = None
    """A function of an ObjectChange that finds how it reaches nodes."""
    judge: str | None = None
    """A function of an ObjectChange and these fields that yields the effects; such a row has kinds,
    changes and fields alone."""

    @property
    def verdict(self) -> Verdict:
        return Verdict[self.word.upper()]

    def is_about(self, change: ObjectChange) -> bool:
        return (
            change.change in self.changes
            and change.is_any(self.kinds)
            and _holds(self.object_condition, change)
        )

    def covers(self, change: ObjectChange, field: ChangedField) -> bool:
        return (
            _is_below_any(field, self.fields)
            and not _is_below_any(field, self.except_fields)
            and (self.new is None or (type(field.new), field.new) == (type(self.new), self.new))
            and _holds(self.field_condition, change, field)
        )

    def effects(self, change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
        """Yield what the row says of these fields, which it all covers: in one effect if it can."""
        if self.judge is not None:
            yield from FUNCTIONS[self.judge](change, fields)
        elif fields and ("{old}" in self.reason or "{new}" in self.reason):
            for field in fields:
                yield self._effect(
                    change, field.path, shown(field.old), shown(field.new), field.segments[-1]
                )
        else:
            path = shared_path(tuple(each.path for each in fields))
            yield self._effect(change, path, *(change.upgrade or ()))

    def _effect(
        self, change: ObjectChange, path: str, old: str = "", new: str = "", label: str = ""
    ) -> Effect:
        return Effect(
            verdict=self.verdict,
            field=path,
            reason=self.reason.format(name=change.placed.key.name, old=old, new=new, label=label),
            source=self.source,
            is_certain=self.is_certain,
            is_possible=self.is_possible,
            asks_nobody=self.asks_nobody,
            is_noise=self.is_noise,
            told=self.told,
            rollouts=FUNCTIONS[self.rollouts](change) if self.rollouts else (),
        )


def _holds(condition: str | None, *about: object) -> bool:
    if condition is None:
        return True
    function = FUNCTIONS[condition.removeprefix("not ")]
    return bool(function(*about)) != condition.startswith("not ")


def _is_below_any(field: ChangedField, paths: tuple[str, ...]) -> bool:
    return any(is_below(field.segments, segments_of(each)) for each in paths)


class WrittenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as its file has it; rows give the names of their sources."""

    row: tuple[Row, ...]
    terms: dict[str, str | tuple[str, ...]] = {}
    """Texts that rows share: `$NAME` in a kind, field or reason stands for the term of that name,
    and one of several members stands for so many kinds or fields."""


@cache
def rows() -> tuple[Row, ...]:
    """Return all rows; of those that cover a field, the first says what its change does."""
    return tuple(row for name in TABLES for row in _rows(written_table(name)))


def written_table(name: str) -> WrittenTable:
    """Return a table; raise msgspec.ValidationError for a name or a type that no row has."""
    return msgspec.convert(read_table(files(__package__) / "tables" / f"{name}.toml"), WrittenTable)


def _rows(table: WrittenTable) -> Iterator[Row]:
    terms = {
        "label_prefix": (LABEL_PREFIX,),
        "culling": (CULLING.name,),
        "rule_settings": (SETTINGS_CONFIG_MAP,),
        "webhook": (WEBHOOK,),
        "webhook_namespace": (WEBHOOK_NAMESPACE,),
        **{name: (it,) if isinstance(it, str) else it for name, it in table.terms.items()},
    }

    def members(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for text in texts for each in expanded(text, terms))

    for row in table.row:
        yield msgspec.structs.replace(
            row,
            kinds=members(row.kinds),
            fields=members(row.fields),
            except_fields=members(row.except_fields),
            reason=next(expanded(row.reason, terms)),
            told=next(expanded(row.told, terms)),
            source=source(row.source) if row.source else "",
        )
