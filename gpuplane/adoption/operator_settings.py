"""The settings of the NVIDIA GPU operator, in its ClusterPolicy or the values of its chart.

The fields that are read have the same names in both
(https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.adoption.found_object import FoundObject, Inventory, items, mapping, value_at

CHART = "gpu-operator"


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """Its settings; empty where there is no operator."""

    values: Mapping[str, Any] = field(default_factory=dict)
    origin: str = ""
    others: tuple[str, ...] = ()
    """Further objects with settings of it, which were not taken."""

    def at(self, *path: str) -> Any:
        """Return the setting at a path; None where it says nothing."""
        return value_at(self.values, *path)

    @property
    def config_maps(self) -> tuple[str, ...]:
        """The ConfigMaps that it is told to read: of the device plugin, of the MIG manager."""
        names = (self.at(part, "config", "name") for part in ("devicePlugin", "migManager"))
        return tuple(name for name in names if isinstance(name, str) and name)


def operator_settings(inventory: Inventory) -> OperatorSettings:
    """Return the settings of the ClusterPolicy, or else of the first release of the chart."""
    stated = [*_policies(inventory), *_releases(inventory)]
    if not stated:
        return OperatorSettings()
    found, values = stated[0]
    return OperatorSettings(values, str(found), tuple(str(other) for other, _ in stated[1:]))


def _policies(inventory: Inventory) -> Iterator[tuple[FoundObject, Mapping[str, Any]]]:
    for found in inventory.of("ClusterPolicy", "nvidia.com"):
        yield found, found.spec


def _releases(inventory: Inventory) -> Iterator[tuple[FoundObject, Mapping[str, Any]]]:
    for found in inventory.of("HelmRelease"):
        if value_at(found.spec, "chart", "spec", "chart") == CHART:
            yield found, mapping(found.spec, "values")
    for found in inventory.of("Application", "argoproj.io"):
        for source in (mapping(found.spec, "source"), *items(found.spec, "sources")):
            if source.get("chart") == CHART:
                yield found, _values(mapping(source, "helm"))


def _values(helm: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of an Application, which are an object or a text of YAML."""
    if helm.get("valuesObject"):
        return mapping(helm, "valuesObject")
    try:
        content = yaml.load(str(helm.get("values") or ""), Loader=ManifestLoader)  # noqa: S506 # a CSafeLoader
    except yaml.YAMLError:
        return {}
    return content if isinstance(content, Mapping) else {}
