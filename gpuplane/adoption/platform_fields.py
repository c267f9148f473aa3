"""What a cluster runs beside its pools and teams: driver, network, addons and priority classes.

The fields that are read of the NVIDIA GPU operator have the same names in its ClusterPolicy and in
the values of its chart
(https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from charts_py.cluster_file.hardware import DriverOwner, KernelModule
from charts_py.cluster_file.queues import MAX_PRIORITY, Preemption
from charts_py.components.gpu_health import action_of
from charts_py.components.node_readiness.controller import STARTUP_TAINT
from charts_py.extensions.manifest_files import read_mapping
from charts_py.objects.document import Document
from charts_py.platform.provider_facts import EngineSign, enforcing_engines
from charts_py.providers.definition import ProviderDefinition
from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.values import items, mapping, strings
from policies.document import value_at

CHART = "gpu-operator"
RESERVED_PREFIX = "system-"
"""Begins the names of Kubernetes' own classes
(https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/)."""
MIG_LAYOUTS = "default-mig-parted-config"
"""The ConfigMap of MIG layouts that the operator brings."""
_USUAL_NAMESPACES = (
    CHART,
    "nvidia-gpu-operator",
    "gpu-operator-resources",
    "nvidia-device-plugin",
    "kube-system",
)
"""Where the operator, or its device plugin alone, runs by the documentation of both."""
_ALLOWED = f"allowed: 0 to {MAX_PRIORITY}"
_KERNEL_MODULES = {one.value for one in KernelModule}
_ADDONS = {"gdrcopy": "gdrcopy", "gpudirectStorage": "gds"}
"""Fields of `addons`, by the part of the operator that they switch on."""


@dataclass(frozen=True, slots=True)
class OperatorSettings:
    """Its settings; empty where there is no operator."""

    values: Mapping[str, Any] = field(default_factory=dict)
    origin: str = ""
    others: tuple[str, ...] = ()
    """Further objects with settings of it, which were not taken."""
    namespaces: tuple[str, ...] = _USUAL_NAMESPACES
    """Where it reads ConfigMaps; a team may have some of the same names."""

    def at(self, *path: str) -> Any:
        return value_at(self.values, path)

    @property
    def config_maps(self) -> tuple[str, ...]:
        """The ConfigMaps that it is told to read: of the device plugin, of the MIG manager."""
        names = (self.at(part, "config", "name") for part in ("devicePlugin", "migManager"))
        return tuple(name for name in names if isinstance(name, str) and name)


def network_fields(inventory: Inventory, provider: ProviderDefinition) -> dict[str, Commented]:
    def read(sign: EngineSign) -> Document | None:
        named = (one for one in inventory.of(sign.kind) if one.name == sign.name)
        return next((one.document for one in named if one.namespace == sign.namespace), None)

    engines = enforcing_engines(provider.network_policy_engines, read)
    if len(engines) == 1:
        signs = provider.network_policy_engines[engines[0]]
        origin = next(f"{one.kind} {one.namespace}/{one.name}" for one in signs if read(one))
        return {"network": Commented({"policyEngine": Commented(engines[0].value, origin)})}
    said = f"found {', '.join(engines)}" if engines else "no object of one that is known was found"
    what = f"network.policyEngine: {said}; set what enforces NetworkPolicies, if anything does"
    return {"network": note(what)}


def driver_fields(settings: OperatorSettings, provider: ProviderDefinition) -> dict[str, Commented]:
    """Return who installs the driver, where it is not who usually does, and which."""
    usual = provider.driver_owners[0]
    if not settings.values or usual is DriverOwner.MANAGED:
        return {}
    by_operator = settings.at("driver", "enabled") is not False
    owner = DriverOwner.OPERATOR if by_operator else DriverOwner.IMAGE
    fields = {"owner": Commented(owner.value)} if owner is not usual else {}
    if by_operator:
        fields |= _driver(settings)
    return {"driver": Commented(fields, settings.origin)} if fields else {}


def _driver(settings: OperatorSettings) -> dict[str, Commented]:
    fields: dict[str, Commented] = {}
    if version := settings.at("driver", "version"):
        fields["version"] = Commented(str(version))
    module = settings.at("driver", "kernelModuleType")
    if settings.at("driver", "useOpenKernelModules") is True:  # until v25.3 of the operator
        module = KernelModule.OPEN.value
    if isinstance(module, str) and module in _KERNEL_MODULES - {KernelModule.AUTO.value}:
        fields["kernelModule"] = Commented(module)
    return fields


def addon_fields(inventory: Inventory, settings: OperatorSettings) -> dict[str, Commented]:
    """Return the addons that the operator has switched on, and those with objects of their own."""
    fields: dict[str, Commented] = {
        field: Commented(value=True, origin=settings.origin)
        for field, part in _ADDONS.items()
        if settings.at(part, "enabled") is True
    }
    interval = settings.at("dcgmExporter", "serviceMonitor", "interval")
    if isinstance(interval, str) and interval != "15s":
        fields["monitoring"] = Commented({"interval": interval}, settings.origin)
    fields |= _node_addons(inventory)
    return {"addons": Commented(fields)} if fields else {}


def _node_addons(inventory: Inventory) -> dict[str, Commented]:
    """Return the addons whose taints rules of the readiness controller name."""
    fields: dict[str, Commented] = {}
    for rule in sorted(inventory.of("NodeReadinessRule"), key=str, reverse=True):
        taint = strings(rule.spec, "taint")
        if taint.get("key") == STARTUP_TAINT.key:
            fields["nodeReadiness"] = Commented(value=True, origin=str(rule))
        elif action := action_of(taint):
            fields["gpuHealth"] = Commented({"action": Commented(action.value)}, str(rule))
    return fields


def lost_settings(inventory: Inventory, settings: OperatorSettings) -> Mapping[str, Commented]:
    lost: dict[str, Commented] = {}
    if settings.others:
        what = f"not carried over: {', '.join(settings.others)}; it has two masters"
        lost["others"] = note(what)
    names = {MIG_LAYOUTS, *settings.config_maps}
    alike = (found for found in inventory.of("ConfigMap", "") if found.name in names)
    if unread := [str(found) for found in alike if found.namespace not in settings.namespaces]:
        here = " or ".join(settings.namespaces)
        lost["unread"] = note(
            f"not read: {', '.join(unread)}; the GPU operator reads those of {here}"
        )
    return lost


def operator_settings(inventory: Inventory) -> OperatorSettings:
    """Return the settings of the ClusterPolicy, or else of the first release of the chart."""
    policies = ((one, one.spec) for one in inventory.of("ClusterPolicy", "nvidia.com"))
    stated = [*policies, *_releases(inventory)]
    if not stated:
        return OperatorSettings()
    found, values = stated[0]
    others = tuple(str(other) for other, _ in stated[1:])
    known = _namespace_of(found)
    return OperatorSettings(values, str(found), others, (known,) if known else _USUAL_NAMESPACES)


def _namespace_of(found: FoundObject) -> str:
    """Return the namespace in which the operator of these settings runs; empty if unknown."""
    if found.kind == "ClusterPolicy":
        annotations = strings(found.document, "metadata", "annotations")
        by_helm = annotations.get("meta.helm.sh/release-namespace", "")
        return strings(found.document, "status").get("namespace") or by_helm
    if found.kind == "HelmRelease":
        return strings(found.spec).get("targetNamespace") or found.namespace
    return strings(found.spec, "destination").get("namespace", "")


def _releases(inventory: Inventory) -> Iterator[tuple[FoundObject, Mapping[str, Any]]]:
    for found in inventory.of("HelmRelease"):
        if value_at(found.spec, ("chart", "spec", "chart")) == CHART:
            yield found, mapping(found.spec, "values")
    for found in inventory.of("Application", "argoproj.io"):
        for source in (mapping(found.spec, "source"), *items(found.spec, "sources")):
            if source.get("chart") == CHART:
                helm = mapping(source, "helm")
                as_text = read_mapping(str(helm.get("values") or ""))
                yield found, mapping(helm, "valuesObject") if helm.get("valuesObject") else as_text


def priority_fields(inventory: Inventory) -> Commented:
    """Return the classes by name, highest first; empty where a cluster has only Kubernetes' own."""
    classes = [
        found
        for found in inventory.of("PriorityClass", "scheduling.k8s.io")
        if not found.name.startswith(RESERVED_PREFIX)
    ]
    usable = {found.name: value for found in classes if (value := _value(found)) is not None}
    ranked = sorted(classes, key=lambda found: (-usable.get(found.name, 0), found.name))
    fields = {one.name: _class(one, usable[one.name]) for one in ranked if one.name in usable}
    lost = [
        f"not carried over: {found}, whose value is {found.document.get('value')}; {_ALLOWED}"
        for found in classes
        if found.name not in usable
    ]
    return Commented(fields, notes=tuple(lost))


def _value(found: FoundObject) -> int | None:
    value = found.document.get("value")
    return value if isinstance(value, int) and 0 <= value <= MAX_PRIORITY else None


def _class(found: FoundObject, value: int) -> Commented:
    fields = {"value": Commented(value)}
    if found.document.get("preemptionPolicy") == "Never":
        fields["preemption"] = Commented(Preemption.NEVER.value)
    if description := found.document.get("description"):
        fields["description"] = Commented(" ".join(str(description).split()))
    default = f"not carried over: globalDefault of {found}; the webhook gives pods their class"
    notes = (default,) if found.document.get("globalDefault") is True else ()
    return Commented(fields, str(found), notes)
