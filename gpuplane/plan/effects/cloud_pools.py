"""What changes of node pools do that a cloud manages, and of rules for machines of one's own."""

from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.changes.pools import (
    AKS_POOL,
    COMPUTE_CLASS,
    GKE_POOL,
    NODE_GROUPS,
)
from gpuplane.plan.effects.row import ADDED, CHANGED, EITHER_SIDE, REMOVED, AnyRow, Row
from gpuplane.plan.rollouts.managed_pools import (
    aks_upgrade,
    deletion,
    gke_upgrade,
    recreation,
    relabelling,
    scale_in,
)
from gpuplane.plan.verdict import Verdict

_GKE = (GKE_POOL,)
_AKS = (AKS_POOL,)
_CLASS = (COMPUTE_CLASS,)
_READINESS = ("NodeReadinessRule.readiness.node.x-k8s.io",)

_GKE_REFUSED = (
    "spec.placementPolicy",
    "spec.maxPodsPerNode",
    "spec.initialNodeCount",
    "spec.location",
    "spec.queuedProvisioning",
    "spec.resourceID",
    *(
        f"spec.nodeConfig.{field}"
        for field in (
            "advancedMachineFeatures",
            "bootDiskKMSCryptoKeyRef",
            "confidentialNodes",
            "diskSizeGb",
            "diskType",
            "ephemeralStorageConfig",
            "ephemeralStorageLocalSsdConfig",
            "gcfsConfig",
            "gvnic",
            "hostMaintenancePolicy",
            "localNvmeSsdBlockConfig",
            "localSsdCount",
            "machineType",
            "metadata",
            "minCpuPlatform",
            "nodeGroupRef",
            "oauthScopes",
            "preemptible",
            "reservationAffinity",
            "sandboxConfig",
            "serviceAccountRef",
            "shieldedInstanceConfig",
            "soleTenantConfig",
            "spot",
        )
    ),
)
_GKE_NODES = tuple(
    f"spec.{field}"
    for field in (
        "version",
        "nodeConfig.imageType",
        "nodeConfig.kubeletConfig",
        "nodeConfig.linuxNodeConfig",
        "nodeConfig.containerdConfig",
        "nodeConfig.workloadMetadataConfig",
    )
)
_GKE_COUNTS = ("spec.nodeCount", "spec.nodeLocations")
_GKE_MOST = ("spec.autoscaling.totalMaxNodeCount", "spec.autoscaling.maxNodeCount")
_AKS_REFUSED = ("spec.vmSize", "spec.gpuInstanceProfile", "spec.azureName", "spec.owner")
_AKS_REPLACED = tuple(
    f"spec.{field}"
    for field in (
        "osDiskSizeGB",
        "osDiskType",
        "osSKU",
        "osType",
        "availabilityZones",
        "vnetSubnetReference",
        "podSubnetReference",
        "scaleSetPriority",
        "scaleSetEvictionPolicy",
        "spotMaxPrice",
        "maxPods",
        "type",
    )
)
_ABANDONED = {
    "cnrm.cloud.google.com/deletion-policy": ("abandon",),
    "serviceoperator.azure.com/reconcile-policy": ("detach-on-delete", "skip"),
}
"""Annotations, and their values, by which the cloud's pool outlives its object."""


def _is_abandoned(change: ObjectChange) -> bool:
    annotations = value_at(change.document, "metadata", "annotations") or {}
    return any(annotations.get(name) in values for name, values in _ABANDONED.items())


def _loses_nodes(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a pool may have fewer nodes, or nodes in fewer zones."""
    if isinstance(field.old, list):
        return not field.is_removed and not set(field.old) <= set(field.new)
    return is_lowered(change, field)


def _readiness_evicts(change: ObjectChange) -> bool:
    """Return whether a rule for nodes taints them, and evicts by the taint."""
    is_dry_run = value_at(change.document, "spec", "dryRun") is True
    return value_at(change.document, "spec", "taint", "effect") == "NoExecute" and not is_dry_run


ROWS: tuple[AnyRow, ...] = (
    Row(
        (*_GKE, *_AKS),
        Verdict.SAFE,
        "The cloud makes a node pool; none that runs is touched.",
        sources.GKE_UPDATE,
        changes=ADDED,
    ),
    Row(
        (*_GKE, *_AKS),
        Verdict.SAFE,
        "The node pool stays in the cloud: an annotation says that it outlives its object.",
        sources.CONFIG_CONNECTOR_DELETION,
        changes=REMOVED,
        object_condition=_is_abandoned,
    ),
    Row(
        _GKE,
        Verdict.DANGEROUS,
        "Config Connector deletes the node pool {name} with all its nodes. The annotation "
        "cnrm.cloud.google.com/deletion-policy: abandon would keep it.",
        sources.CONFIG_CONNECTOR_DELETION,
        changes=REMOVED,
        rollouts=deletion,
    ),
    Row(
        _AKS,
        Verdict.DANGEROUS,
        "Azure Service Operator deletes the node pool {name} with all its nodes. The annotation "
        "serviceoperator.azure.com/reconcile-policy: detach-on-delete would keep it.",
        sources.SERVICE_OPERATOR,
        changes=REMOVED,
        rollouts=deletion,
    ),
    Row(
        _GKE,
        Verdict.IMMUTABLE,
        "Config Connector's webhook refuses it: GKE cannot change it. Make a pool with another "
        "name, and remove this one once its pods are gone.",
        sources.CONFIG_CONNECTOR_WEBHOOK,
        fields=_GKE_REFUSED,
        rollouts=recreation,
    ),
    Row(
        _GKE,
        Verdict.IMMUTABLE,
        "A pool cannot move to another cluster: {old} cannot become {new}.",
        sources.CONFIG_CONNECTOR_WEBHOOK,
        fields=("spec.clusterRef",),
        is_certain=False,
        rollouts=recreation,
    ),
    Row(
        _GKE,
        Verdict.IMMUTABLE,
        "GKE cannot change the GPUs of a pool, their partition, sharing or driver: Config "
        "Connector reports UpdateFailed and the pool stays as it is, while Argo CD says Synced. "
        "Make a pool with another name, and remove this one once its pods are gone.",
        sources.CONFIG_CONNECTOR_UPDATE,
        fields=("spec.nodeConfig.guestAccelerator",),
        rollouts=recreation,
    ),
    Row(
        _GKE,
        Verdict.DISRUPTIVE,
        "GKE recreates the nodes, as many at once as upgradeSettings says: {old} becomes {new}.",
        sources.GKE_UPGRADE,
        fields=_GKE_NODES,
        is_certain=False,
        rollouts=gke_upgrade,
    ),
    Row(
        _GKE,
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: nodes beyond that are removed.",
        sources.GKE_UPDATE,
        fields=_GKE_COUNTS,
        field_condition=_loses_nodes,
        is_certain=False,
        rollouts=scale_in,
    ),
    Row(
        (*_GKE, *_AKS),
        Verdict.SAFE,
        "{old} becomes {new}: the autoscaler adds no node above it, and takes none away for it. "
        "Those beyond go once they are empty or little used.",
        sources.CLUSTER_AUTOSCALER_LIMITS,
        fields=(*_GKE_MOST, "spec.maxCount"),
        field_condition=is_lowered,
        is_certain=False,
    ),
    Row(
        _GKE,
        Verdict.SAFE,
        "GKE takes it in place: {old} becomes {new}.",
        sources.GKE_UPDATE,
        fields=(
            *_GKE_COUNTS,
            "spec.autoscaling",
            "spec.upgradeSettings",
            "spec.management",
            "spec.nodeConfig.tags",
            "spec.nodeConfig.resourceLabels",
            "spec.nodeConfig.resourceManagerTags",
        ),
    ),
    Row(
        _AKS,
        Verdict.IMMUTABLE,
        "AKS refuses it: {old} cannot become {new}. Make a pool with another name, and remove this "
        "one once its pods are gone.",
        sources.AKS_IMMUTABLE,
        fields=_AKS_REFUSED,
        rollouts=recreation,
    ),
    Row(
        _AKS,
        Verdict.IMMUTABLE,
        "AKS mostly refuses it: {old} cannot become {new}. Make a pool with another name, and "
        "remove this one once its pods are gone.",
        sources.AKS_REPLACED,
        fields=_AKS_REPLACED,
        is_certain=False,
        rollouts=recreation,
    ),
    Row(
        _AKS,
        Verdict.DISRUPTIVE,
        "AKS replaces the nodes, with as many spare ones at once as upgradeSettings says: {old} "
        "becomes {new}.",
        sources.AKS_UPGRADE,
        fields=("spec.orchestratorVersion", "spec.nodeImageVersion"),
        is_certain=False,
        rollouts=aks_upgrade,
    ),
    Row(
        _AKS,
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: nodes beyond that are drained and removed.",
        sources.AKS_SCALE,
        fields=("spec.count",),
        field_condition=is_lowered,
        is_certain=False,
        rollouts=scale_in,
    ),
    Row(
        _AKS,
        Verdict.SAFE,
        "AKS takes it in place: {old} becomes {new}.",
        sources.AKS_SCALE,
        fields=(
            "spec.maxCount",
            "spec.minCount",
            "spec.count",
            "spec.enableAutoScaling",
            "spec.upgradeSettings",
            "spec.tags",
            "spec.mode",
        ),
        is_certain=False,
    ),
    Row(
        (NODE_GROUPS,),
        Verdict.SAFE,
        "Nothing happens until somebody runs eksctl, which changes nothing of a group but its "
        "size: for anything else, make a group with another name, and drain and delete this one.",
        sources.EKSCTL,
        changes=CHANGED,
        fields=("managedNodeGroups", "metadata", "vpc", "iam", "addons"),
    ),
    Row(
        (NODE_GROUPS,),
        Verdict.SAFE,
        "Nothing happens until somebody runs eksctl.",
        sources.EKSCTL,
        changes=EITHER_SIDE,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "GKE makes nodes of it once pods choose it.",
        sources.GKE_COMPUTE_CLASSES,
        changes=ADDED,
    ),
    Row(
        _CLASS,
        Verdict.SAFE,
        "GKE takes it for nodes to come; running ones stay as they are.",
        sources.GKE_COMPUTE_CLASSES,
        fields=("spec",),
    ),
    Row(
        _CLASS,
        Verdict.DISRUPTIVE,
        "Running nodes stay as long as they have pods; pods that choose {name} no longer start.",
        sources.GKE_COMPUTE_CLASSES,
        changes=REMOVED,
        is_certain=False,
        rollouts=relabelling,
    ),
    Row(
        _READINESS,
        Verdict.DISRUPTIVE,
        "Nodes that do not meet it are tainted until they do, and pods that run there and do not "
        "tolerate it are evicted at once.",
        sources.NODE_READINESS,
        changes=ADDED,
        object_condition=_readiness_evicts,
    ),
    Row(
        _READINESS,
        Verdict.DISRUPTIVE,
        "It is no longer a dry run: nodes that do not meet it are tainted, and pods that run "
        "there and do not tolerate it are evicted at once.",
        sources.NODE_READINESS,
        fields=("spec.dryRun",),
        object_condition=_readiness_evicts,
    ),
    Row(
        _READINESS,
        Verdict.SAFE,
        "Nodes that do not meet it are tainted until they do: pods that run there stay.",
        sources.NODE_READINESS,
        changes=ADDED,
    ),
    Row(
        _READINESS,
        Verdict.SAFE,
        "No node is tainted by it any longer.",
        sources.NODE_READINESS,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _READINESS,
        Verdict.SAFE,
        "Nodes are tainted, and freed from their taint, only while it is not a dry run: {old} "
        "becomes "
        "{new}. Pods that run stay.",
        sources.NODE_READINESS,
        fields=("spec.dryRun",),
    ),
)
