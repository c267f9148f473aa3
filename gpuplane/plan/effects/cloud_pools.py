"""What changes of node pools do that a cloud manages, and of rules for machines of one's own."""

from gpuplane.plan.fields import ChangedField, value_at
from gpuplane.plan.object_change import ObjectChange, is_lowered

_ABANDONED = {
    "cnrm.cloud.google.com/deletion-policy": ("abandon",),
    "serviceoperator.azure.com/reconcile-policy": ("detach-on-delete", "skip"),
}
"""Annotations, and their values, by which the cloud's pool outlives its object."""


def is_abandoned(change: ObjectChange) -> bool:
    annotations = value_at(change.document, "metadata", "annotations") or {}
    return any(annotations.get(name) in values for name, values in _ABANDONED.items())


def loses_nodes(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a pool may have fewer nodes, or nodes in fewer zones."""
    if isinstance(field.old, list):
        return not field.is_removed and not set(field.old) <= set(field.new)
    return is_lowered(change, field)


def readiness_evicts(change: ObjectChange) -> bool:
    """Return whether a rule for nodes taints them, and evicts by the taint."""
    is_dry_run = value_at(change.document, "spec", "dryRun") is True
    return value_at(change.document, "spec", "taint", "effect") == "NoExecute" and not is_dry_run
