"""What configures the device plugin of NVIDIA, and what another configuration of it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from charts_py.objects.fields import Absent
from charts_py.objects.manifest_yaml import from_yaml
from gpuplane.plan.effect import Verdict
from gpuplane.plan.object_change import ClusterObjects
from gpuplane.plan.sources import source

CONFIG_MAP = "device-plugin-config"
"""Name of the ConfigMap of configurations."""

DEFAULT = "default"
"""Name of the configuration of nodes without a label."""


@dataclass(frozen=True, slots=True)
class SharingChange:
    """What it does to nodes that their device plugin takes another configuration."""

    verdict: Verdict
    reason: str
    source: str
    is_certain: bool


def sharing_change(cluster: ClusterObjects, old: Any, new: Any) -> SharingChange:
    """Say what nodes see that change from one configuration, by its name, to another."""
    before = _named(cluster, old, is_after=False)
    after = _named(cluster, new, is_after=True)
    names = f"from {_name(old)} to {_name(new)}"
    if mps := _mps_change(before, after):
        return SharingChange(
            Verdict.DISRUPTIVE,
            f"The device plugin goes {names}: {mps}",
            source("device_plugin_mps"),
            is_certain=False,
        )
    if resources(before) != resources(after):
        return SharingChange(
            Verdict.DISRUPTIVE,
            f"The device plugin goes {names} and names its resources differently: running pods "
            "stay; new ones that ask for the old name stay Pending, and those that ask for the new "
            "one may get GPUs that running pods still use. Drain the nodes first.",
            source("time_slicing"),
            is_certain=False,
        )
    return SharingChange(
        Verdict.ROLLING,
        f"The device plugin restarts to go {names}: running pods stay, and new ones wait for it.",
        source("device_plugin_config"),
        is_certain=True,
    )


def resources(config: Mapping[str, Any]) -> frozenset[str]:
    """Return the resources that a configuration shares under a name of their own."""
    slicing = _part(config, "timeSlicing")
    if not slicing.get("renameByDefault"):
        return frozenset()
    return frozenset(each["name"] for each in slicing.get("resources", ()))


def read_config(text: Any) -> Mapping[str, Any]:
    """Return a configuration, from its YAML; an empty one where that is broken."""
    try:
        documents = from_yaml(text) if isinstance(text, str) else []
    except yaml.YAMLError:
        return {}
    return documents[0] if documents and isinstance(documents[0], dict) else {}


def _named(cluster: ClusterObjects, name: Any, *, is_after: bool) -> Mapping[str, Any]:
    side = cluster.after if is_after else cluster.before
    for placed, document in side.items():
        if placed.key.kind == "ConfigMap" and placed.key.name == CONFIG_MAP:
            return read_config(document.get("data", {}).get(_name(name)))
    return {}


def _name(value: Any) -> str:
    return DEFAULT if value is Absent.ABSENT or not value else str(value)


def _is_mps(config: Mapping[str, Any]) -> bool:
    return bool(_part(config, "mps"))


def _mps_change(before: Mapping[str, Any], after: Mapping[str, Any]) -> str | None:
    """Say what becomes of the MPS control daemon; None where neither configuration has one."""
    match _is_mps(before), _is_mps(after):
        case True, True:
            return (
                "the MPS control daemon restarts, and the processes that compute through it fail."
            )
        case True, False:
            return "the MPS control daemon quits, and the processes that compute through it fail."
        case False, True:
            return (
                "an MPS control daemon starts, and sets the GPUs to EXCLUSIVE_PROCESS. Running "
                "pods do not compute through it: they may keep it from their GPUs, and processes "
                "that they start fail. Drain the nodes first."
            )
        case _:
            return None


def _part(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    sharing = config.get("sharing")
    part = sharing.get(name) if isinstance(sharing, Mapping) else None
    return part if isinstance(part, Mapping) else {}
