"""How the GPU operators work through nodes, and when a change reaches their drivers.

https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-driver-upgrades.html
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gpuplane.plan.effect import Verdict
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pin_change import DRIVER_OF, Pin, PinKind, PinRecord, record_of
from gpuplane.plan.pools import pools_of_vendor
from gpuplane.plan.rollout import Mechanism, Rollout
from gpus.catalog import load_catalog
from gpus.model import AMD, NVIDIA
from policies.document import members, value_at

_DEFAULT_PARALLEL = 1
"""The default of `maxParallelUpgrades`; 0 means all nodes."""
_DEFAULT_UNAVAILABLE = "25%"
_DEFAULT_TIMEOUT_SECONDS = 300
"""The default of both `gpuPodDeletion` and `drain`."""


def installs_driver(change: ObjectChange) -> bool:
    return value_at(_settings(change), ("driver", "enabled")) is not False


def installs_device_plugin(change: ObjectChange) -> bool:
    """Say whether it names the resources of nodes, and not the device plugin of a cloud."""
    return value_at(_settings(change), ("devicePlugin", "enabled")) is not False


def upgrades_by_itself(change: ObjectChange) -> bool:
    """Say whether the operator also replaces a driver that runs, without waiting for anybody."""
    automatic = value_at(_settings(change), ("driver", "upgradePolicy", "autoUpgrade"))
    return installs_driver(change) and automatic is not False


def waits_for_a_restart(change: ObjectChange) -> bool:
    return installs_driver(change) and not upgrades_by_itself(change)


def is_recorded_to_reload(change: ObjectChange) -> bool:
    """Say whether the record of a step of the chart has the driver loaded anew."""
    record = _record(change)
    if record is None or not upgrades_by_itself(change):
        return False
    values = _settings(change)
    # The chart installs a driver unless it is told not to.
    stated = {**values, "driver": {"enabled": True, **members(values.get("driver"))}}
    found = (each.verdict for each in record.changes if each.matters(stated))
    return any(verdict > Verdict.ROLLING for verdict in found)


def may_reload(change: ObjectChange) -> bool:
    """Say whether nothing is known of a step of the chart, which may load the driver anew."""
    return upgrades_by_itself(change) and _record(change) is None


def _record(change: ObjectChange) -> PinRecord | None:
    old, new = (value_at(each, ("spec", "source", "targetRevision")) for each in change.sides)
    return record_of(
        Pin(PinKind.CHART, DRIVER_OF), str(old), str(new), change.cluster.context.records
    )


def begins_to_upgrade(change: ObjectChange, field: ChangedField) -> bool:
    return field.old is False and upgrades_by_itself(change)


def driver_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    return _rollouts(change, Mechanism.DRIVER_UPGRADE)


def driver_restart(change: ObjectChange) -> tuple[Rollout, ...]:
    return _rollouts(change, Mechanism.DRIVER_RESTART)


def operand_removal(change: ObjectChange) -> tuple[Rollout, ...]:
    return _everywhere(change, Mechanism.OPERAND_REMOVAL)


def amd_operand_removal(change: ObjectChange) -> tuple[Rollout, ...]:
    return _everywhere(change, Mechanism.OPERAND_REMOVAL, vendor=AMD)


def driver_installation(change: ObjectChange) -> tuple[Rollout, ...]:
    """Upgrade the driver; where the operator takes its own away, all nodes lose it at once."""
    return driver_upgrade(change) if installs_driver(change) else operand_removal(change)


def plugin_restart(change: ObjectChange) -> tuple[Rollout, ...]:
    """Restart the device plugin, a node at a time."""
    return _everywhere(change, Mechanism.PLUGIN_RESTART, ("1",))


def mig_layout(change: ObjectChange) -> tuple[Rollout, ...]:
    """Lay out all nodes without a label of their own anew, at once."""
    return _everywhere(change, Mechanism.MIG_LABEL)


def _settings(change: ObjectChange) -> Mapping[str, Any]:
    """Return the settings of a ClusterPolicy or an NVIDIADriver, or the values of a chart."""
    spec: Mapping[str, Any] = change.document.get("spec", {})
    values = value_at(spec, ("source", "helm", "valuesObject"))
    if isinstance(values, Mapping):
        return values
    return {"driver": spec} if change.document.get("kind") == "NVIDIADriver" else spec


def _rollouts(change: ObjectChange, mechanism: Mechanism) -> tuple[Rollout, ...]:
    policy = value_at(_settings(change), ("driver", "upgradePolicy")) or {}
    parallel = policy.get("maxParallelUpgrades", _DEFAULT_PARALLEL)
    unavailable = str(policy.get("maxUnavailable", _DEFAULT_UNAVAILABLE))
    limits = (*((str(parallel),) if parallel else ()), unavailable)
    # The chart's name of the field, and that of the ClusterPolicy.
    deletion = policy.get("gpuPodDeletion") or policy.get("podDeletion") or {}
    seconds = int(deletion.get("timeoutSeconds", _DEFAULT_TIMEOUT_SECONDS))
    return tuple(
        replace(each, is_held_by_budgets=seconds == 0)
        for each in _everywhere(change, mechanism, limits, _drain_seconds(policy, seconds))
    )


def _drain_seconds(policy: Mapping[str, Any], deletion: int) -> int | None:
    """Return how long the pods of a node have, at most; None where jobs may run to their end.

    A deletion of 0 seconds ends when the last pod is evicted, which a PodDisruptionBudget may hold.
    """
    waits = policy.get("waitForCompletion") or {}
    waited = int(waits.get("timeoutSeconds", 0)) if waits.get("podSelector") else 0
    if waits.get("podSelector") and not waited:
        return None
    drain = policy.get("drain") or {}
    further = drain.get("timeoutSeconds", _DEFAULT_TIMEOUT_SECONDS) if drain.get("enable") else 0
    return waited + deletion + int(further)


def _everywhere(
    change: ObjectChange,
    mechanism: Mechanism,
    limits: tuple[str, ...] = (),
    drain: int | None = None,
    vendor: str = NVIDIA,
) -> tuple[Rollout, ...]:
    pools = pools_of_vendor(change.cluster.pools, vendor, load_catalog())
    return tuple(
        Rollout(mechanism, pool.name, limits=limits, drain_seconds=drain) for pool in pools
    )
