"""What changed texts of GPU sharing do: MIG layouts, and configurations of device plugins."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effect import Effect
from gpuplane.plan.effects.node_labels import MIG_CONFIG, PLUGIN_CONFIG
from gpuplane.plan.effects.row import ADDED, CHANGED, REMOVED, AnyRow, Judge, Row
from gpuplane.plan.effects.sharing_config import CONFIG_MAP, DEFAULT, read_config
from gpuplane.plan.rollouts.driver_upgrade import amd_operand_removal
from gpuplane.plan.verdict import Verdict

_MIG = ("ConfigMap/mig-parted-config",)
_PLUGIN = (f"ConfigMap/{CONFIG_MAP}",)
_MIG_READ = "nodes read it when their label changes, or MIG manager restarts"
_PLUGIN_READ = "the device plugin does not watch it, and takes it when it restarts"
_MIG_GONE = (
    "is gone: a node whose label still names it, as one that Karpenter has not replaced, cannot be "
    "laid out by it again once it boots"
)
_PLUGIN_GONE = "is gone"
_AMD = ("DeviceConfig.amd.com",)


def _layouts(document: Mapping[str, Any] | None) -> Mapping[str, Any]:
    text = value_at(document, "data", "config.yaml")
    layouts = read_config(text).get("mig-configs")
    return layouts if isinstance(layouts, Mapping) else {}


def _mig_texts(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    old, new = (_layouts(side) for side in change.sides)
    different = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    for name in different:
        pools = tuple(_pools_with(change, MIG_CONFIG, name))
        yield Effect(
            Verdict.SAFE,
            f'data["config.yaml"] {name}',
            f"The layout {name}, which {_listed(pools)}, "
            f"{_done(name, old, new, _MIG_READ, _MIG_GONE)}.",
            sources.MIG_RECONFIGURE,
            pools=pools,
        )
    if not different:
        yield Effect(
            Verdict.SAFE,
            'data["config.yaml"]',
            "No layout differs: the text alone is another one.",
            sources.MIG_RECONFIGURE,
        )


def _plugin_texts(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    old, new = (side.get("data") or {} for side in change.sides)
    for name in dict.fromkeys(field.segments[1] for field in fields if len(field.segments) > 1):
        pools = tuple(_pools_with(change, PLUGIN_CONFIG, name))
        yield Effect(
            Verdict.SAFE,
            f"data.{name}",
            f"The configuration {name}, which {_listed(pools)}, "
            f"{_done(name, old, new, _PLUGIN_READ, _PLUGIN_GONE)}.",
            sources.TIME_SLICING,
            pools=pools,
        )


def _listed(pools: tuple[str, ...]) -> str:
    if not pools:
        return "no pool has"
    *others, last = pools
    return f"{', '.join(others)} and {last} have" if others else f"{last} has"


def _done(name: str, old: Mapping[str, Any], new: Mapping[str, Any], read: str, gone: str) -> str:
    """Say what becomes of a layout or configuration; `read` is when nodes read one that changes."""
    if name not in old:
        return "is new: nodes take it once their label names it"
    return gone if name not in new else f"changes: {read}"


def _pools_with(change: ObjectChange, label: str, value: str) -> Iterator[str]:
    unlabelled = DEFAULT if label == PLUGIN_CONFIG else None
    for name, pool in sorted(change.cluster.pools.items()):
        if pool.labels.get(label, unlabelled) == value:
            yield name


ROWS: tuple[AnyRow, ...] = (
    Judge(_MIG, ("data",), _mig_texts),
    Judge(_PLUGIN, ("data",), _plugin_texts),
    Row(
        (*_MIG, *_PLUGIN),
        Verdict.SAFE,
        "Nodes read it once their label or the operator's settings name it.",
        sources.MIG_RECONFIGURE,
        changes=ADDED,
    ),
    Row(
        (*_MIG, *_PLUGIN),
        Verdict.ROLLING,
        "GPUs stay laid out and shared as they are; pods of the operator that mount {name} do not "
        "start again without it.",
        sources.TIME_SLICING,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _AMD,
        Verdict.DISRUPTIVE,
        "The operator puts driver, device plugin and exporter on the nodes with AMD GPUs that it "
        "selects, as far as it asks for them.",
        sources.AMD_UPGRADE,
        changes=ADDED,
        is_certain=False,
    ),
    Row(
        _AMD,
        Verdict.DANGEROUS,
        "The operator takes its operands away: GPUs vanish from the nodes that it selects.",
        sources.AMD_UPGRADE,
        changes=REMOVED,
        is_certain=False,
        rollouts=amd_operand_removal,
    ),
    Row(
        _AMD,
        Verdict.DISRUPTIVE,
        "Node after node gets the driver anew, {old} becoming {new}, and its GPU pods go first; "
        "without upgradePolicy.enable, nothing happens before somebody does it.",
        sources.AMD_UPGRADE,
        fields=("spec.driver", "spec.selector"),
        is_certain=False,
    ),
    Row(
        _AMD,
        Verdict.ROLLING,
        "Operands restart, a node at a time: running pods stay, and new ones wait for the device "
        "plugin.",
        sources.AMD_UPGRADE,
        fields=("spec",),
        changes=CHANGED,
        is_certain=False,
    ),
)
