"""What a cluster runs beside its pools and teams: driver, network, addons."""

from collections.abc import Mapping

from charts_py.cluster_file.driver import DriverOwner, KernelModule
from charts_py.components.gpu_health.definition import action_of
from charts_py.components.node_readiness.readiness_rule import STARTUP_TAINT
from charts_py.platform.provider_facts import EngineSign, FoundObject, enforcing_engines
from charts_py.providers.definition import ProviderDefinition
from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_object import Inventory, strings
from gpuplane.adoption.operator_settings import OperatorSettings

_KERNEL_MODULES = {one.value for one in KernelModule}
_ADDONS = {"gdrcopy": "gdrcopy", "gpudirectStorage": "gds"}
"""Fields of `addons`, by the part of the operator that they switch on."""


def network_fields(inventory: Inventory, provider: ProviderDefinition) -> dict[str, Commented]:
    """Return the engine of NetworkPolicies whose objects are there and ready."""
    by_key = {found.key: found for found in inventory.objects}

    def read(sign: EngineSign) -> FoundObject | None:
        keys = (key for key in by_key if (key.kind, key.name) == (sign.kind, sign.name))
        here = (key for key in keys if key.namespace == sign.namespace)
        return next((by_key[key].document for key in here), None)

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
    installs = settings.at("driver", "enabled")
    if not settings.values or provider.driver_owners[0] is DriverOwner.MANAGED:
        return {}
    by_operator = installs is not False
    owner = DriverOwner.OPERATOR if by_operator else DriverOwner.IMAGE
    fields: dict[str, Commented] = {}
    if owner is not provider.driver_owners[0]:
        fields["owner"] = Commented(owner.value)
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


def lost_settings(settings: OperatorSettings) -> Mapping[str, Commented]:
    """Return what says that further settings of the operator were not taken."""
    if not settings.others:
        return {}
    return {"others": note(f"not carried over: {', '.join(settings.others)}; it has two masters")}
