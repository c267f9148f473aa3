"""What changed texts of GPU sharing do: MIG layouts, and configurations of device plugins."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.node_labels import MIG_CONFIG, PLUGIN_CONFIG
from gpuplane.plan.effects.sharing_config import DEFAULT, read_config
from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.sources import source

_MIG_READ = "nodes read it when their label changes, or MIG manager restarts"
_PLUGIN_READ = "the device plugin does not watch it, and takes it when it restarts"
_MIG_GONE = (
    "is gone: a node whose label still names it, as one that Karpenter has not replaced, cannot be "
    "laid out by it again once it boots"
)
_PLUGIN_GONE = "is gone"


def _layouts(document: Mapping[str, Any] | None) -> Mapping[str, Any]:
    text = value_at(document, "data", "config.yaml")
    layouts = read_config(text).get("mig-configs")
    return layouts if isinstance(layouts, Mapping) else {}


def mig_layouts(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterable[Effect]:
    old, new = (_layouts(side) for side in change.sides)
    different = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    for name in different:
        pools = tuple(_pools_with(change, MIG_CONFIG, name))
        yield Effect(
            Verdict.SAFE,
            f'data["config.yaml"] {name}',
            f"The layout {name}, which {_listed(pools)}, "
            f"{_done(name, old, new, _MIG_READ, _MIG_GONE)}.",
            source("mig_reconfigure"),
            pools=pools,
        )
    if not different:
        yield Effect(
            Verdict.SAFE,
            'data["config.yaml"]',
            "No layout differs: the text alone is another one.",
            source("mig_reconfigure"),
        )


def plugin_configs(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    old, new = (side.get("data") or {} for side in change.sides)
    for name in dict.fromkeys(field.segments[1] for field in fields if len(field.segments) > 1):
        pools = tuple(_pools_with(change, PLUGIN_CONFIG, name))
        yield Effect(
            Verdict.SAFE,
            f"data.{name}",
            f"The configuration {name}, which {_listed(pools)}, "
            f"{_done(name, old, new, _PLUGIN_READ, _PLUGIN_GONE)}.",
            source("time_slicing"),
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
