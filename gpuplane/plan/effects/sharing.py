"""Judges changes of GPU sharing: of MIG layouts, and of configurations of the device plugin."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from charts_py.extensions.manifest_files import read_mapping
from charts_py.objects.fields import Absent
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.cloud_pools import all_nodes
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pools import NODE_POOL
from gpuplane.plan.rollout import Mechanism
from gpuplane.plan.sources import source
from gpuplane.versions.comparison import PlacedDocuments
from policies.document import members, value_at

_MIG_CONFIG = "nvidia.com/mig.config"
_PLUGIN_CONFIG = "nvidia.com/device-plugin.config"
_CONFIG_MAP = "device-plugin-config"
"""The ConfigMap that holds the configurations of the device plugin."""
_DEFAULT = "default"
"""Nodes without a label take the configuration of this name."""
_MIG_READ = "nodes read it when their label changes, or MIG manager restarts"
_PLUGIN_READ = "the device plugin does not watch it, and takes it when it restarts"
_MIG_GONE = (
    "is gone: a node whose label still names it, as one that Karpenter has not replaced, cannot be "
    "laid out by it again once it boots"
)
_PLUGIN_GONE = "is gone"
_FAIL = "and the processes that compute through it fail."


def mig_layouts(change: ObjectChange, _: tuple[ChangedField, ...]) -> Iterator[Effect]:
    texts = (value_at(side, ("data", "config.yaml")) for side in change.sides)
    old, new = (members(_read_config(text).get("mig-configs")) for text in texts)
    different = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    # Others have no node any more whose label names the old layout.
    gone = Verdict.DEFERRED if any(change.cluster.of_kind(NODE_POOL)) else Verdict.SAFE
    for name in different:
        pools = tuple(_pools_with(change, _MIG_CONFIG, name))
        yield Effect(
            Verdict.SAFE if name in new else gone,
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
        pools = tuple(_pools_with(change, _PLUGIN_CONFIG, name))
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
    unlabelled = _DEFAULT if label == _PLUGIN_CONFIG else None
    for name, pool in sorted(change.cluster.pools.items()):
        if pool.labels.get(label, unlabelled) == value:
            yield name


def plugin_config_label(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterator[Effect]:
    for field in fields:
        old, new = (
            _DEFAULT if value is Absent.ABSENT or not value else str(value)
            for value in (field.old, field.new)
        )
        before = _config(change.cluster.before, old)
        after = _config(change.cluster.after, new)
        yield replace(
            _of_another_config(before, after, f"from {old} to {new}"),
            field=field.path,
            rollouts=all_nodes(change, Mechanism.PLUGIN_RESTART),
        )


def _of_another_config(before: Mapping[str, Any], after: Mapping[str, Any], names: str) -> Effect:
    if mps := _mps_change(before, after):
        return Effect(
            Verdict.DISRUPTIVE,
            "",
            f"The device plugin goes {names}: {mps}",
            source("device_plugin_mps"),
            is_certain=False,
            told="pods on {clusters} that compute through MPS, or begin to, may fail",
        )
    if _renamed_resources(before) != _renamed_resources(after):
        return Effect(
            Verdict.DISRUPTIVE,
            "",
            f"The device plugin goes {names} and names its resources differently: running pods "
            "stay; new ones that ask for the old name stay Pending, and those that ask for the new "
            "one may get GPUs that running pods still use. Drain the nodes first.",
            source("time_slicing"),
            is_certain=False,
        )
    return Effect(
        Verdict.ROLLING,
        "",
        f"The device plugin restarts to go {names}: running pods stay, and new ones wait for it.",
        source("device_plugin_config"),
    )


def _renamed_resources(config: Mapping[str, Any]) -> frozenset[str]:
    slicing = members(value_at(config, ("sharing", "timeSlicing")))
    if not slicing.get("renameByDefault"):
        return frozenset()
    return frozenset(each["name"] for each in slicing.get("resources", ()))


def _config(documents: PlacedDocuments, name: str) -> Mapping[str, Any]:
    for placed, document in documents.items():
        if placed.key.kind == "ConfigMap" and placed.key.name == _CONFIG_MAP:
            return _read_config(document.get("data", {}).get(name))
    return {}


def _mps_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> str | None:
    """Say what becomes of the MPS control daemon; None where neither configuration has one."""
    had, has = (bool(members(value_at(side, ("sharing", "mps")))) for side in (before, after))
    match had, has:
        case True, True:
            return f"the MPS control daemon restarts, {_FAIL}"
        case True, False:
            return f"the MPS control daemon quits, {_FAIL}"
        case False, True:
            return (
                "an MPS control daemon starts, and sets the GPUs to EXCLUSIVE_PROCESS. Running "
                "pods do not compute through it: they may keep it from their GPUs, and processes "
                "that they start fail. Drain the nodes first."
            )
        case _:
            return None


def _read_config(text: Any) -> Mapping[str, Any]:
    """Return an empty configuration where its YAML is broken."""
    return read_mapping(text) if isinstance(text, str) else {}
