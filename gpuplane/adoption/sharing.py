"""How a group of nodes shares its GPUs, by its labels and the ConfigMaps of the GPU operator.

https://github.com/NVIDIA/mig-parted and https://github.com/NVIDIA/k8s-device-plugin describe those.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from charts_py.extensions.manifest_files import read_mapping
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.nodes import GKE_CLIENTS, GKE_PARTITION, GKE_SHARING, partition_of
from gpuplane.adoption.platform_fields import OperatorSettings
from gpuplane.adoption.values import items, mapping, strings, texts, whole_number
from gpus.mig import ALL_DISABLED, MigGeometry, format_profile
from gpus.model import NVIDIA, GpuModel
from gpus.pool_facts import GPU_PRODUCT
from gpus.sharing import MIN_REPLICAS

_FIELD_OF_WAY = ("sharing:", "flags:", "mig-configs:")
"""What a configuration of the device plugin, or the MIG manager's file, has one of at least."""
_WAYS = ("timeSlicing", "mps")
"""Fields of the device plugin's `sharing`, which a pool has as well."""
_MIG_LABEL = "nvidia.com/mig.config"
_PLUGIN_LABEL = "nvidia.com/device-plugin.config"
_REPLICAS = "nvidia.com/gpu.replicas"
_STRATEGY = "nvidia.com/gpu.sharing-strategy"
_FIELDS = {"time-slicing": "timeSlicing", "time-sharing": "timeSlicing", "mps": "mps"}
"""Fields of a pool, by the strategy that a label names."""
_ALL = "all-"
"""Begins the MIG manager's own names of layouts of one profile: `all-1g.10gb`."""


@dataclass(frozen=True, slots=True)
class SharingConfig:
    """The named configurations of one cluster."""

    plugin: Mapping[str, Mapping[str, Any]]
    mig: Mapping[str, list[Mapping[str, Any]]]
    default_plugin: str | None
    """The configuration of nodes without a label."""
    default_mig: str | None
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FoundSharing:
    """How GPUs are shared, and who says so."""

    mig: Mapping[str, int] = field(default_factory=dict)
    """The count of each profile on one GPU."""
    way: str | None = None
    """The field of a pool for those that share a GPU: `timeSlicing` or `mps`."""
    replicas: int = 1
    origins: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What of it is not known."""


def found_sharing(group: NodeGroup, model: GpuModel | None, config: SharingConfig) -> FoundSharing:
    """Return how the GPUs of a group are shared; whole GPUs where nothing says otherwise."""
    if model is not None and model.vendor != NVIDIA:
        return FoundSharing()
    cut, shared = _mig(group, model, config), _replicas(group, config)
    origins, notes = (*cut.origins, *shared.origins), (*cut.notes, *shared.notes)
    return replace(shared, mig=cut.mig, origins=origins, notes=notes)


def _mig(group: NodeGroup, model: GpuModel | None, config: SharingConfig) -> FoundSharing:
    geometry = model.mig if model else None
    if model is None or geometry is None:
        return FoundSharing()
    name = group.labels.get(_MIG_LABEL) or config.default_mig
    if name and name != ALL_DISABLED:
        return _mig_config(name, model, geometry, config)
    profile = _one_profile(group, geometry)
    if profile is None:
        return FoundSharing()
    label, named = profile
    return FoundSharing({named: geometry.profile(named).max_count}, origins=(label,))


def _one_profile(group: NodeGroup, geometry: MigGeometry) -> tuple[str, str] | None:
    """Return who names the one profile into which a provider cuts every GPU, and the profile."""
    known = {format_profile(one.name): one.name for one in geometry.profiles}
    stated = {
        f"label {GKE_PARTITION}": group.labels.get(GKE_PARTITION),
        f"label {GPU_PRODUCT}": partition_of(group.labels.get(GPU_PRODUCT, "")),
    }
    for label, profile in stated.items():
        if profile in known:
            return label, known[profile]
    slices = whole_number((group.gpu_profile or "").removeprefix("MIG").removesuffix("g"))
    cut = [one for one in geometry.profiles if one.compute_slices == slices]
    if not cut:
        return None
    smallest = min(cut, key=lambda one: (one.memory_slices, one.media_engines))
    return f"gpuInstanceProfile {group.gpu_profile}", smallest.name


def _mig_config(
    name: str, model: GpuModel, geometry: MigGeometry, config: SharingConfig
) -> FoundSharing:
    origin = config.origins.get(name, f"label {_MIG_LABEL}")
    if name in config.mig:
        layouts = [dict(one) for one in _layouts(config.mig[name], model)]
        if len(layouts) == 1:
            return FoundSharing(layouts[0], origins=(f"{name} of {origin}",))
        what = f"MIG configuration {name} of {origin} cuts the GPUs of a node in different ways"
        choices = f"a pool cuts them all alike; choose {' or '.join(map(_shown, layouts))}"
        return FoundSharing(notes=(f"not carried over: {what}; {choices}",))
    known = {format_profile(one.name): one.name for one in geometry.profiles}
    profile = known.get(name.removeprefix(_ALL))
    if name.startswith(_ALL) and profile is not None:
        return FoundSharing({profile: geometry.profile(profile).max_count}, origins=(origin,))
    what = f"label {_MIG_LABEL} names {name}, whose ConfigMap was not read"
    return FoundSharing(notes=(f"sharing.mig is unknown: {what}; export it too, or set it",))


def _shown(layout: Mapping[str, int]) -> str:
    profiles = ", ".join(f"{name}: {count}" for name, count in layout.items())
    return f"{{{profiles}}}" if profiles else "whole GPUs"


def _layouts(entries: list[Mapping[str, Any]], model: GpuModel) -> Iterator[Mapping[str, int]]:
    """Yield the layouts of the GPUs of a model, each once; an entry may be for other devices."""
    seen: list[Mapping[str, int]] = []
    for entry in entries:
        wanted = entry.get("device-filter")
        filters = texts(entry, "device-filter") or ((wanted,) if isinstance(wanted, str) else ())
        if filters and not any(model.pci_device in one.lower() for one in filters):
            continue
        devices = mapping(entry, "mig-devices") if entry.get("mig-enabled") else {}
        layout = {str(key): whole_number(count) or 0 for key, count in devices.items()}
        if layout not in seen:
            seen.append(layout)
            yield layout


def _replicas(group: NodeGroup, config: SharingConfig) -> FoundSharing:
    name = group.labels.get(_PLUGIN_LABEL) or config.default_plugin
    if name in config.plugin:
        return _of_plugin(str(name), config)
    for strategy, count in ((_STRATEGY, _REPLICAS), (GKE_SHARING, GKE_CLIENTS)):
        way = _FIELDS.get(group.labels.get(strategy, ""))
        replicas = whole_number(group.labels.get(count)) or 1
        if way is not None and replicas >= MIN_REPLICAS:
            return FoundSharing(way=way, replicas=replicas, origins=(f"label {count}",))
    if group.labels.get(_PLUGIN_LABEL):
        what = f"label {_PLUGIN_LABEL} names {name}, whose ConfigMap was not read"
        return FoundSharing(notes=(f"sharing is unknown: {what}; export it too, or set it",))
    if (whole_number(group.labels.get(_REPLICAS)) or 1) >= MIN_REPLICAS:
        what = f"label {_REPLICAS} is {group.labels[_REPLICAS]}, and none says how"
        return FoundSharing(notes=(f"sharing is unknown: {what}; set {' or '.join(_WAYS)}",))
    return FoundSharing()


def _of_plugin(name: str, config: SharingConfig) -> FoundSharing:
    origin = f"{name} of {config.origins[name]}"
    choices = [*_ways(config.plugin[name])]
    if not choices:
        return FoundSharing()
    way, replicas = choices[0]
    if len(choices) == 1 and replicas >= MIN_REPLICAS:
        return FoundSharing(way=way, replicas=replicas, origins=(origin,))
    shown = " and ".join(f"{way} {count}" for way, count in choices)
    return FoundSharing(notes=(f"not carried over: {origin} shares by {shown}; a pool has one",))


def sharing_config(inventory: Inventory, settings: OperatorSettings) -> SharingConfig:
    """Return the configurations of the ConfigMaps beside the operator, first of those it reads."""
    plugin: dict[str, Mapping[str, Any]] = {}
    mig: dict[str, list[Mapping[str, Any]]] = {}
    origins: dict[str, str] = {}
    contents = sorted(
        _contents(inventory, settings.namespaces),
        key=lambda one: (one[0].name not in settings.config_maps, one[1]),
    )
    for found, name, content in contents:
        if "mig-configs" in content:
            for one in mapping(content, "mig-configs"):
                mig.setdefault(one, items(content, "mig-configs", one))
                origins.setdefault(one, str(found))
        elif "sharing" in content or "flags" in content:
            plugin.setdefault(name, content)
            origins.setdefault(name, str(found))
    defaults = [settings.at(part, "config", "default") for part in ("devicePlugin", "migManager")]
    return SharingConfig(plugin, mig, defaults[0] or None, defaults[1] or None, origins)


def _contents(
    inventory: Inventory, namespaces: tuple[str, ...]
) -> Iterator[tuple[FoundObject, str, Mapping[str, Any]]]:
    for found in inventory.of("ConfigMap", ""):
        if found.namespace not in namespaces:
            continue
        for name, text in strings(found.document, "data").items():
            if any(field in text for field in _FIELD_OF_WAY):
                yield found, name, read_mapping(text)


def _ways(content: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield each way in which a configuration shares GPUs, with its number of replicas."""
    for way in _WAYS:
        resources = items(content, "sharing", way, "resources")
        replicas = {whole_number(one.get("replicas")) for one in resources}
        yield from ((way, one) for one in sorted(filter(None, replicas)))
