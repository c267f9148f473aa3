"""The ConfigMaps by which the GPU operator cuts and shares GPUs.

https://github.com/NVIDIA/mig-parted and https://github.com/NVIDIA/k8s-device-plugin say what they
hold.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.adoption.found_object import (
    FoundObject,
    Inventory,
    items,
    mapping,
    strings,
    whole_number as number,
)
from gpuplane.adoption.operator_settings import OperatorSettings

_FIELDS = ("sharing:", "flags:", "mig-configs:")
"""What a configuration of the device plugin, or the MIG manager's file, has one of at least."""

_WAYS = {"timeSlicing": "timeSlicing", "mps": "mps"}
"""Fields of the device plugin's `sharing`, by that of a pool."""


@dataclass(frozen=True, slots=True)
class SharingConfig:
    """The named configurations of one cluster."""

    plugin: Mapping[str, Mapping[str, Any]]
    """The device plugin's, by name."""
    mig: Mapping[str, list[Mapping[str, Any]]]
    """The MIG manager's, by name."""
    default_plugin: str | None
    """The configuration of nodes without a label."""
    default_mig: str | None
    origins: Mapping[str, str]
    """The ConfigMap of each configuration."""


def sharing_config(inventory: Inventory, settings: OperatorSettings) -> SharingConfig:
    """Return the configurations of all ConfigMaps, first of those that the operator reads."""
    plugin: dict[str, Mapping[str, Any]] = {}
    mig: dict[str, list[Mapping[str, Any]]] = {}
    origins: dict[str, str] = {}
    for found, name, content in sorted(_contents(inventory), key=lambda one: _rank(one, settings)):
        if "mig-configs" in content:
            for one in mapping(content, "mig-configs"):
                mig.setdefault(one, items(content, "mig-configs", one))
                origins.setdefault(one, str(found))
        elif "sharing" in content or "flags" in content:
            plugin.setdefault(name, content)
            origins.setdefault(name, str(found))
    defaults = [settings.at(part, "config", "default") for part in ("devicePlugin", "migManager")]
    return SharingConfig(plugin, mig, defaults[0] or None, defaults[1] or None, origins)


def _rank(
    one: tuple[FoundObject, str, Mapping[str, Any]], settings: OperatorSettings
) -> tuple[bool, str]:
    found, name, _ = one
    return found.name not in settings.config_maps, name


def _contents(inventory: Inventory) -> Iterator[tuple[FoundObject, str, Mapping[str, Any]]]:
    for found in inventory.of("ConfigMap", ""):
        for name, text in strings(found.document, "data").items():
            if any(field in text for field in _FIELDS):
                yield found, name, _read(text)


def _read(text: str) -> Mapping[str, Any]:
    try:
        content = yaml.load(text, Loader=ManifestLoader)  # noqa: S506 # a CSafeLoader
    except yaml.YAMLError:
        return {}
    return content if isinstance(content, Mapping) else {}


def replicas_in(content: Mapping[str, Any]) -> dict[str, set[int]]:
    """Return the replicas of resources, by the field of a pool that says the same."""
    counted = {
        field: {number(one.get("replicas")) for one in items(content, "sharing", way, "resources")}
        for way, field in _WAYS.items()
    }
    return {field: {one for one in found if one} for field, found in counted.items() if found}
