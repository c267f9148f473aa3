"""Reads the rows that say what changes do from the tables in this folder."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP
from gpuplane.plan import object_change
from gpuplane.plan.effect import Change, Verdict
from gpuplane.plan.effects import (
    argo_cd,
    cloud_pools,
    gpu_operator,
    karpenter,
    kubernetes,
    node_labels,
    queues,
    rule_settings,
    sharing,
)
from gpuplane.plan.effects.row import (
    AnyRow,
    FieldCondition,
    Judge,
    Judgement,
    ObjectCondition,
    Rollouts,
    Row,
)
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
    "definitions",
    "any_kind_last",
)
"""The tables in the order in which their rows are asked."""

_Function = TypeVar("_Function", bound=Callable[..., object])


def _named(*functions: _Function) -> Mapping[str, _Function]:
    return {function.__name__: function for function in functions}


FIELD_CONDITIONS: Mapping[str, FieldCondition] = _named(
    argo_cd.begins_to_replace,
    argo_cd.keeps_what_leaves,
    cloud_pools.loses_nodes,
    gpu_operator.begins_to_upgrade,
    karpenter.consolidates_more,
    karpenter.has_no_slot,
    karpenter.is_hashed_alike,
    karpenter.only_gains_terms,
    kubernetes.begins_to_roll,
    kubernetes.drops_a_version,
    kubernetes.is_pod_security,
    kubernetes.is_refused,
    object_change.is_added,
    object_change.is_lowered,
    object_change.is_raised,
    object_change.is_removed,
    queues.has_less,
    queues.has_more,
    queues.is_in_topology,
    queues.is_reclaimed,
    queues.loses_a_worker,
    queues.preempts_more,
    rule_settings.comes_with_its_resource,
    rule_settings.goes_with_its_resource,
)
OBJECT_CONDITIONS: Mapping[str, ObjectCondition] = _named(
    argo_cd.is_cascading,
    argo_cd.is_of_others,
    argo_cd.keeps_all,
    cloud_pools.is_abandoned,
    cloud_pools.readiness_evicts,
    gpu_operator.installs_driver,
    gpu_operator.upgrades_by_itself,
    gpu_operator.waits_for_a_restart,
    karpenter.begins_to_replace_drifted,
    karpenter.is_used,
    kubernetes.is_dashboard,
    kubernetes.is_elastic,
    kubernetes.waits_for_deletion,
    kubernetes.was_immutable,
    queues.dispatches,
    queues.go_all,
    queues.is_left_out,
    queues.is_unreferenced,
    queues.is_unused_flavor,
)
ROLLOUTS: Mapping[str, Rollouts] = _named(
    cloud_pools.aks_upgrade,
    cloud_pools.gke_upgrade,
    cloud_pools.mig_label,
    cloud_pools.pool_deletion,
    cloud_pools.recreation,
    cloud_pools.relabelling,
    cloud_pools.scale_in,
    gpu_operator.amd_operand_removal,
    gpu_operator.driver_installation,
    gpu_operator.driver_restart,
    gpu_operator.driver_upgrade,
    gpu_operator.mig_layout,
    gpu_operator.operand_removal,
    gpu_operator.plugin_restart,
    karpenter.consolidation,
    karpenter.drift,
    karpenter.drift_of_class,
    karpenter.node_pool_deletion,
    karpenter.removed_replicas,
)
JUDGES: Mapping[str, Judgement] = _named(
    argo_cd.sync_options,
    karpenter.overlay,
    karpenter.requirements,
    node_labels.added_rule,
    node_labels.removed_rule,
    node_labels.taints,
    queues.resource_groups,
    rule_settings.rule_settings,
    sharing.mig_layouts,
    sharing.plugin_config_label,
    sharing.plugin_configs,
)


class WrittenRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row as a table has it, with the names of its functions and of its source."""

    kinds: tuple[str, ...]
    changes: tuple[Change, ...] = (Change.CHANGED,)
    fields: tuple[str, ...] = ()
    except_fields: tuple[str, ...] = ()
    new: str | bool | None = None
    field_condition: str | None = None
    """`not NAME` negates a condition, here and below."""
    object_condition: str | None = None
    verdict: str = ""
    reason: str = ""
    source: str = ""
    is_certain: bool = True
    is_noise: bool = False
    rollouts: str | None = None
    judge: str | None = None
    """The function that says the rest; such a row has kinds, changes and fields alone."""


class WrittenTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table as its file has it."""

    row: tuple[WrittenRow, ...]
    terms: dict[str, str | tuple[str, ...]] = {}
    """Texts that rows share: `$NAME` in a kind, field or reason stands for the term of that name,
    and one of several members stands for so many kinds or fields."""


@cache
def rows() -> tuple[AnyRow, ...]:
    """Return all rows; of those that cover a field, the first says what its change does."""
    return tuple(row for name in TABLES for row in _rows(written_table(name)))


def written_table(name: str) -> WrittenTable:
    """Return a table; raise msgspec.ValidationError for a name or a type that no row has."""
    return msgspec.convert(read_table(files(__package__) / "tables" / f"{name}.toml"), WrittenTable)


def _rows(table: WrittenTable) -> Iterator[AnyRow]:
    terms = {
        "label_prefix": (LABEL_PREFIX,),
        "rule_settings": (SETTINGS_CONFIG_MAP,),
        **{name: (it,) if isinstance(it, str) else it for name, it in table.terms.items()},
    }

    def members(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(each for text in texts for each in expanded(text, terms))

    for row in table.row:
        kinds, fields = members(row.kinds), members(row.fields)
        if row.judge is not None:
            yield Judge(kinds, fields, JUDGES[row.judge], row.changes)
            continue
        yield Row(
            kinds,
            Verdict[row.verdict.upper()],
            next(expanded(row.reason, terms)),
            source(row.source),
            fields,
            row.changes,
            members(row.except_fields),
            row.new,
            _condition(row.field_condition, FIELD_CONDITIONS),
            _condition(row.object_condition, OBJECT_CONDITIONS),
            row.is_certain,
            row.is_noise,
            None if row.rollouts is None else ROLLOUTS[row.rollouts],
        )


_Condition = TypeVar("_Condition", FieldCondition, ObjectCondition)


def _condition(name: str | None, functions: Mapping[str, _Condition]) -> _Condition | None:
    if name is None:
        return None
    function = functions[name.removeprefix("not ")]
    return (lambda *about: not function(*about)) if name.startswith("not ") else function
