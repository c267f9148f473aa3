"""What changes of NVIDIA's GPU operator do: of its chart's values, and of its own objects.

The values of the chart are called as the fields of the ClusterPolicy that it makes.
"""

from collections.abc import Iterator

from gpuplane.plan import sources
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.rollouts.driver_upgrade import (
    driver_installation,
    driver_restart,
    driver_upgrade,
    installs_driver,
    mig_layout,
    operand_removal,
    plugin_restart,
    upgrades_by_itself,
)
from gpuplane.plan.verdict import Verdict

CHART = "Application.argoproj.io/gpu-operator"
POLICY = "ClusterPolicy.nvidia.com"
DRIVER = "NVIDIADriver.nvidia.com"

_VALUES = "spec.source.helm.valuesObject"
_SETTINGS = (CHART, POLICY)

_DIGEST = (
    "version",
    "image",
    "repository",
    "kernelModuleType",
    "kernelModuleConfig",
    "env",
    "args",
    "repoConfig",
    "certConfig",
    "licensingConfig",
    "virtualTopology",
    "virtualTopologyConfig",
    "rdma",
    "gds",
    "gdrcopy",
    "usePrecompiled",
    "manager",
    "additionalVolumes",
    "secretEnv",
    "hostRoot",
)
"""Fields of the driver that are part of the digest of its configuration."""
_RESTARTING = (
    "resources",
    "startupProbe",
    "livenessProbe",
    "readinessProbe",
    "imagePullSecrets",
)
"""Fields of the driver's pod that are no part of it."""
_OPERANDS = ("dcgm", "dcgmExporter", "gfd", "migManager", "nfd", "nodeStatusExporter")
"""Operands without which GPU pods start and run."""
_UPGRADE_POLICY = ("upgradePolicy",)


def _settings(*fields: str) -> tuple[str, ...]:
    """Return fields of the operator's settings, wherever they are written."""
    return tuple(f"{place}.{field}" for place in (_VALUES, "spec") for field in fields)


def _waits_for_a_restart(change: ObjectChange) -> bool:
    return installs_driver(change) and not upgrades_by_itself(change)


def _begins_to_upgrade(change: ObjectChange, field: ChangedField) -> bool:
    return field.old is False and upgrades_by_itself(change)


def _is_switched_off(_: ObjectChange, field: ChangedField) -> bool:
    return field.new is False


def _driver(*fields: str) -> tuple[str, ...]:
    return _settings(*(f"driver.{field}" for field in fields))


def _rows() -> Iterator[AnyRow]:
    yield from _whole()
    yield from _driver_rows()
    yield from _chart()
    yield from _operands()


def _whole() -> Iterator[AnyRow]:
    yield Row(
        (CHART, POLICY, DRIVER),
        Verdict.DISRUPTIVE,
        "The operator puts its operands on every node with NVIDIA GPUs; where it installs a "
        "driver, GPU pods that run there are deleted first.",
        sources.DRIVER_UPGRADE,
        changes=ADDED,
        is_certain=False,
        rollouts=driver_upgrade,
    )
    yield Row(
        (CHART, POLICY),
        Verdict.DANGEROUS,
        "All operands belong to the ClusterPolicy and go with it: GPUs vanish from every node.",
        sources.GPU_OPERATOR,
        changes=REMOVED,
        rollouts=operand_removal,
    )
    yield Row(
        (DRIVER,),
        Verdict.DANGEROUS,
        "The driver's pods go with it: GPUs vanish from the nodes that it selects.",
        sources.GPU_OPERATOR,
        changes=REMOVED,
        is_certain=False,
        rollouts=operand_removal,
    )


def _driver_rows() -> Iterator[AnyRow]:
    digest = (*_driver(*_DIGEST), *_settings("gds", "gdrcopy"))
    yield Row(
        _SETTINGS,
        Verdict.SAFE,
        "autoUpgrade is off: no node gets it, {old} becoming {new}, before its driver pod is "
        "deleted or it boots again.",
        sources.DRIVER_UPGRADE,
        fields=(*digest, *_driver(*_RESTARTING)),
        object_condition=_waits_for_a_restart,
    )
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "It is part of the digest of the driver: node after node is cordoned, its GPU pods are "
        "deleted and the driver is loaded anew, {old} becoming {new}.",
        sources.DRIVER_DIGEST,
        fields=digest,
        object_condition=installs_driver,
        rollouts=driver_upgrade,
    )
    yield Row(
        _SETTINGS,
        Verdict.SAFE,
        "The operator installs no driver here, so none changes.",
        sources.DRIVER_DIGEST,
        fields=(*digest, *_driver(*_RESTARTING)),
        object_condition=lambda change: not installs_driver(change),
    )
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "Drivers that waited for it are upgraded from now on: each node whose driver pod is not as "
        "the settings say is cordoned, its GPU pods are deleted and the driver is loaded anew.",
        sources.DRIVER_UPGRADE,
        fields=_driver("upgradePolicy.autoUpgrade"),
        field_condition=_begins_to_upgrade,
        is_certain=False,
        rollouts=driver_upgrade,
    )
    yield Row(
        _SETTINGS,
        Verdict.SAFE,
        "It says how the next change of the driver is rolled out: {old} becomes {new}.",
        sources.DRIVER_UPGRADE,
        fields=_driver(*_UPGRADE_POLICY),
    )
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "Who installs the driver changes, {old} becoming {new}: GPUs are out wherever no driver is "
        "loaded meanwhile.",
        sources.DRIVER_UPGRADE,
        fields=_driver("enabled", "nvidiaDriverCRD"),
        is_certain=False,
        rollouts=driver_installation,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "Node after node is cordoned while its driver pod restarts; modules and GPU pods stay.",
        sources.DRIVER_DIGEST,
        fields=_driver(*_RESTARTING),
        object_condition=upgrades_by_itself,
        rollouts=driver_restart,
    )
    yield Row(
        (DRIVER,),
        Verdict.DISRUPTIVE,
        "Drivers that waited for it are upgraded from now on: each node whose driver pod is not as "
        "the settings say is cordoned, its GPU pods are deleted and the driver is loaded anew.",
        sources.DRIVER_UPGRADE,
        fields=("spec.upgradePolicy.autoUpgrade",),
        field_condition=_begins_to_upgrade,
        is_certain=False,
        rollouts=driver_upgrade,
    )
    yield Row(
        (DRIVER,),
        Verdict.SAFE,
        "It says how the next change of the driver is rolled out: {old} becomes {new}.",
        sources.DRIVER_UPGRADE,
        fields=tuple(f"spec.{field}" for field in _UPGRADE_POLICY),
    )
    yield Row(
        (DRIVER,),
        Verdict.DISRUPTIVE,
        "It is part of the digest of the driver: node after node is cordoned, its GPU pods are "
        "deleted and the driver is loaded anew, {old} becoming {new}.",
        sources.DRIVER_DIGEST,
        fields=("spec",),
        rollouts=driver_upgrade,
    )


def _chart() -> Iterator[AnyRow]:
    yield Row(
        (CHART,),
        Verdict.DISRUPTIVE,
        "The chart goes from {old} to {new}, and with it the image of the driver manager, which is "
        "part of the digest of the driver: node after node is cordoned, its GPU pods are deleted "
        "and the driver is loaded anew. All other operands restart, too.",
        sources.DRIVER_DIGEST,
        fields=("spec.source.targetRevision",),
        object_condition=upgrades_by_itself,
        rollouts=driver_upgrade,
    )
    yield Row(
        (CHART,),
        Verdict.ROLLING,
        "The chart goes from {old} to {new}: the operands restart, a node at a time. New GPU pods "
        "wait for the device plugin, and metrics have a gap; no driver is replaced by itself.",
        sources.GPU_OPERATOR,
        fields=("spec.source.targetRevision",),
        is_certain=False,
        rollouts=plugin_restart,
    )


def _operands() -> Iterator[AnyRow]:
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "The device plugin restarts and names the parts of GPUs differently, {old} becoming {new}: "
        "running pods stay; new ones that ask for the old names stay Pending.",
        sources.GPU_OPERATOR_MIG,
        fields=_settings("mig.strategy"),
        is_certain=False,
        rollouts=plugin_restart,
    )
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "Nodes without a label of their own are laid out as {new}, in place of {old}, all at once; "
        "GPU pods that run there make it fail.",
        sources.MIG_RECONFIGURE,
        fields=_settings("migManager.config.default"),
        is_certain=False,
        rollouts=mig_layout,
    )
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "GPUs are no longer given to any pod, or by another plugin, {old} becoming {new}: running "
        "pods stay, and new ones wait.",
        sources.DEVICE_PLUGIN_CONFIG,
        fields=_settings("devicePlugin.enabled"),
        is_certain=False,
        rollouts=plugin_restart,
    )
    yield Row(
        _SETTINGS,
        Verdict.DISRUPTIVE,
        "The toolkit is taken away, and with it the container runtime of GPU pods: running "
        "containers stay, and no new one starts unless the nodes have the toolkit otherwise.",
        sources.GPU_OPERATOR,
        fields=_settings("toolkit.enabled"),
        field_condition=_is_switched_off,
        is_certain=False,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "Its pods are taken away: what they set up stays, and nothing keeps it up to date; no GPU "
        "pod is touched.",
        sources.GPU_OPERATOR,
        fields=_settings(*(f"{operand}.enabled" for operand in _OPERANDS)),
        field_condition=_is_switched_off,
        is_certain=False,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "The toolkit's pods restart, and with them the container runtime of node after node; "
        "running containers survive.",
        sources.GPU_OPERATOR,
        fields=_settings("toolkit", "cdi"),
        is_certain=False,
        rollouts=plugin_restart,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "The device plugin restarts, a node at a time: running pods stay, and new ones wait.",
        sources.GPU_OPERATOR,
        fields=_settings("devicePlugin"),
        is_certain=False,
        rollouts=plugin_restart,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "The exporter restarts, a node at a time: metrics have a gap, and no GPU pod is touched.",
        sources.GPU_OPERATOR,
        fields=_settings("dcgm", "dcgmExporter"),
        is_certain=False,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "Pods of the operator restart, a node at a time, those of the driver, too: each node is "
        "cordoned meanwhile; modules and GPU pods stay.",
        sources.DRIVER_DIGEST,
        fields=_settings("daemonsets"),
        object_condition=upgrades_by_itself,
        is_certain=False,
        rollouts=driver_restart,
    )
    yield Row(
        _SETTINGS,
        Verdict.ROLLING,
        "Pods of the operator restart, a node at a time; no GPU pod is touched.",
        sources.GPU_OPERATOR,
        fields=_settings(
            "daemonsets",
            "gfd",
            "mig",
            "migManager",
            "nfd",
            "node-feature-discovery",
            "nodeStatusExporter",
            "operator",
            "validator",
        ),
        is_certain=False,
    )


ROWS: tuple[AnyRow, ...] = tuple(_rows())
