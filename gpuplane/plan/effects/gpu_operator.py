"""What changes of NVIDIA's GPU operator do: of its chart's values, and of its own objects.

The values of the chart are called as the fields of the ClusterPolicy that it makes.
"""

from collections.abc import Mapping
from typing import Any

from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.pools import pools_of_vendor
from gpuplane.plan.rollout import Mechanism, Rollout
from gpus.catalog import load_catalog
from gpus.vendor import AMD, NVIDIA

DEFAULT_PARALLEL = 1
"""Of `maxParallelUpgrades`; 0 means all nodes."""
DEFAULT_UNAVAILABLE = "25%"
DEFAULT_TIMEOUT_SECONDS = 300
"""Of `gpuPodDeletion` and of `drain`, each."""


def waits_for_a_restart(change: ObjectChange) -> bool:
    return installs_driver(change) and not upgrades_by_itself(change)


def begins_to_upgrade(change: ObjectChange, field: ChangedField) -> bool:
    return field.old is False and upgrades_by_itself(change)


def operator_settings(change: ObjectChange) -> Mapping[str, Any]:
    """Return the settings of the GPU operator: a ClusterPolicy's, or a chart's values."""
    return _settings(change.document)


def _settings(document: Mapping[str, Any]) -> Mapping[str, Any]:
    spec = document.get("spec", {})
    values = value_at(spec, "source", "helm", "valuesObject")
    if isinstance(values, Mapping):
        return values
    return {"driver": spec} if document.get("kind") == "NVIDIADriver" else spec


def installs_driver(change: ObjectChange) -> bool:
    """Return whether the operator installs the driver of the nodes."""
    return value_at(operator_settings(change), "driver", "enabled") is not False


def upgrades_by_itself(change: ObjectChange) -> bool:
    """Return whether it also replaces a driver that runs, without waiting for anybody."""
    automatic = value_at(operator_settings(change), "driver", "upgradePolicy", "autoUpgrade")
    return installs_driver(change) and automatic is not False


def driver_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how the driver is upgraded, on all pools with GPUs of NVIDIA."""
    return _rollouts(change, Mechanism.DRIVER_UPGRADE)


def driver_restart(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how the pods of the driver restart, while its modules stay."""
    return _rollouts(change, Mechanism.DRIVER_RESTART)


def operand_removal(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that all nodes lose their GPUs at once."""
    return _everywhere(change, Mechanism.OPERAND_REMOVAL)


def amd_operand_removal(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that all nodes with GPUs of AMD lose them at once."""
    return _everywhere(change, Mechanism.OPERAND_REMOVAL, vendor=AMD)


def driver_installation(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return how nodes get another driver: at once where the operator takes its own away."""
    return driver_upgrade(change) if installs_driver(change) else operand_removal(change)


def plugin_restart(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that the device plugin restarts, a node at a time."""
    return _everywhere(change, Mechanism.PLUGIN_RESTART, ("1",))


def mig_layout(change: ObjectChange) -> tuple[Rollout, ...]:
    """Return that nodes without a label of their own are laid out anew, all at once."""
    return _everywhere(change, Mechanism.MIG_LABEL)


def _rollouts(change: ObjectChange, mechanism: Mechanism) -> tuple[Rollout, ...]:
    policy = value_at(operator_settings(change), "driver", "upgradePolicy") or {}
    parallel = policy.get("maxParallelUpgrades", DEFAULT_PARALLEL)
    unavailable = str(policy.get("maxUnavailable", DEFAULT_UNAVAILABLE))
    limits = (*((str(parallel),) if parallel else ()), unavailable)
    return _everywhere(change, mechanism, limits, drain_seconds(policy))


def drain_seconds(policy: Mapping[str, Any]) -> int | None:
    """Return how long the pods of a node have, at most; None where jobs may run to their end."""
    waits = policy.get("waitForCompletion") or {}
    if waits.get("podSelector") and not waits.get("timeoutSeconds"):
        return None
    deletion = (policy.get("gpuPodDeletion") or {}).get("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS)
    if deletion == 0:
        return None
    drain = policy.get("drain") or {}
    further = drain.get("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS) if drain.get("enable") else 0
    return int(waits.get("timeoutSeconds", 0)) + int(deletion) + int(further)


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
