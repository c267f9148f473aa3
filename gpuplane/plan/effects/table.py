"""The rows that say what changes do, from the tables in this folder."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeVar

import msgspec

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP
from gpuplane.plan.effect import Change, Verdict
from gpuplane.plan.effects.argo_cd import is_cascading, is_of_others, keeps_all, keeps_what_leaves
from gpuplane.plan.effects.cloud_pools import is_abandoned, loses_nodes, readiness_evicts
from gpuplane.plan.effects.core import is_pod_security
from gpuplane.plan.effects.definitions import drops_a_version
from gpuplane.plan.effects.feature_rules import added_rule, removed_rule
from gpuplane.plan.effects.gpu_operator import begins_to_upgrade, waits_for_a_restart
from gpuplane.plan.effects.immutable import is_elastic, is_in_topology, is_refused, was_immutable
from gpuplane.plan.effects.karpenter import (
    begins_to_replace_drifted,
    consolidates_more,
    has_no_slot,
    is_hashed_alike,
    removed_replicas,
    requirements,
)
from gpuplane.plan.effects.karpenter_machines import (
    drift_of_class,
    is_used,
    only_gains_terms,
    overlay,
)
from gpuplane.plan.effects.monitoring import is_dashboard
from gpuplane.plan.effects.multikueue import dispatches, is_left_out, loses_a_worker
from gpuplane.plan.effects.node_labels import plugin_config_label, taints
from gpuplane.plan.effects.queues import (
    go_all,
    is_unreferenced,
    is_unused_flavor,
    preempts_more,
    resource_groups,
)
from gpuplane.plan.effects.quotas import comes_with_its_resource, goes_with_its_resource
from gpuplane.plan.effects.row import (
    AnyRow,
    FieldCondition,
    Judge,
    Judgement,
    ObjectCondition,
    Rollouts,
    Row,
)
from gpuplane.plan.effects.rule_settings import rule_settings
from gpuplane.plan.effects.schedulers import has_less, has_more, is_reclaimed
from gpuplane.plan.effects.sharing import mig_layouts, plugin_configs
from gpuplane.plan.effects.sync_options import begins_to_replace, sync_options
from gpuplane.plan.effects.workloads import begins_to_roll, waits_for_deletion
from gpuplane.plan.object_change import is_added, is_lowered, is_raised, is_removed
from gpuplane.plan.rollouts.driver_upgrade import (
    amd_operand_removal,
    driver_installation,
    driver_restart,
    driver_upgrade,
    installs_driver,
    mig_layout,
    operand_removal,
    plugin_restart,
    upgrades_by_itself,
)
from gpuplane.plan.rollouts.managed_pools import (
    aks_upgrade,
    gke_upgrade,
    mig_label,
    pool_deletion,
    recreation,
    relabelling,
    scale_in,
)
from gpuplane.plan.rollouts.node_pools import consolidation, drift, node_pool_deletion
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
"""In the order in which their rows are asked."""

_Function = TypeVar("_Function", bound=Callable[..., object])


def _named(*functions: _Function) -> Mapping[str, _Function]:
    return {function.__name__: function for function in functions}


FIELD_CONDITIONS: Mapping[str, FieldCondition] = _named(
    begins_to_replace,
    begins_to_roll,
    begins_to_upgrade,
    comes_with_its_resource,
    consolidates_more,
    drops_a_version,
    goes_with_its_resource,
    has_less,
    has_more,
    has_no_slot,
    is_added,
    is_hashed_alike,
    is_in_topology,
    is_lowered,
    is_pod_security,
    is_raised,
    is_reclaimed,
    is_refused,
    is_removed,
    keeps_what_leaves,
    loses_a_worker,
    loses_nodes,
    only_gains_terms,
    preempts_more,
)
OBJECT_CONDITIONS: Mapping[str, ObjectCondition] = _named(
    begins_to_replace_drifted,
    dispatches,
    go_all,
    installs_driver,
    is_abandoned,
    is_cascading,
    is_dashboard,
    is_elastic,
    is_left_out,
    is_of_others,
    is_unreferenced,
    is_unused_flavor,
    is_used,
    keeps_all,
    readiness_evicts,
    upgrades_by_itself,
    waits_for_a_restart,
    waits_for_deletion,
    was_immutable,
)
ROLLOUTS: Mapping[str, Rollouts] = _named(
    aks_upgrade,
    amd_operand_removal,
    consolidation,
    drift,
    drift_of_class,
    driver_installation,
    driver_restart,
    driver_upgrade,
    gke_upgrade,
    mig_label,
    mig_layout,
    node_pool_deletion,
    operand_removal,
    plugin_restart,
    pool_deletion,
    recreation,
    relabelling,
    removed_replicas,
    scale_in,
)
JUDGES: Mapping[str, Judgement] = _named(
    added_rule,
    mig_layouts,
    overlay,
    plugin_config_label,
    plugin_configs,
    removed_rule,
    requirements,
    resource_groups,
    rule_settings,
    sync_options,
    taints,
)


class WrittenRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row as a table has it, with the names of its functions and of its source."""

    kinds: tuple[str, ...]
    changes: tuple[Change, ...] = (Change.CHANGED,)
    fields: tuple[str, ...] = ()
    except_fields: tuple[str, ...] = ()
    new: str | bool | None = None
    field_condition: str | None = None
    """`not NAME` is the contrary of NAME, here and below."""
    object_condition: str | None = None
    verdict: str = ""
    reason: str = ""
    source: str = ""
    is_certain: bool = True
    is_noise: bool = False
    rollouts: str | None = None
    judge: str | None = None
    """What says the rest; such a row has kinds, changes and fields alone."""


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
