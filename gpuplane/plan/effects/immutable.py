"""Fields that the API server, or a webhook, lets nobody change.

Those of custom resources come from the rules in their definitions. A sync that changes one fails.
"""

from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField, is_below
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import AnyRow, Row
from gpuplane.plan.verdict import Verdict
from upstream.immutable_fields import ImmutableField, Reach, committed_immutable_fields

_CONSEQUENCE = (
    "The sync fails until the object is deleted and created again, or the change is taken back."
)
_REFUSED = f"The API server refuses it: the field is immutable. {_CONSEQUENCE}"
_DEFINED = (
    "The API server refuses it: a rule of the kind's definition makes the field immutable. "
    f"{_CONSEQUENCE}"
)


def _refused(kind: str, fields: tuple[str, ...], source: str, *, is_certain: bool = True) -> Row:
    return Row((kind,), Verdict.IMMUTABLE, _REFUSED, source, fields=fields, is_certain=is_certain)


def _except(kind: str, fields: tuple[str, ...], source: str) -> Row:
    """Return the row of a kind whose spec is immutable but for these fields."""
    allowed = tuple(("spec", *field.split(".")) for field in fields)

    def is_refused(_: ObjectChange, field: ChangedField) -> bool:
        return not any(is_below(field.segments, each) for each in allowed)

    return Row(
        (kind,), Verdict.IMMUTABLE, _REFUSED, source, fields=("spec",), field_condition=is_refused
    )


def _is_in_topology(change: ObjectChange, _: ChangedField) -> bool:
    return value_at(change.before, "spec", "topologyName") is not None


def _is_elastic(change: ObjectChange) -> bool:
    """Return whether a job is one of which completions and parallelism may change together."""
    spec = value_at(change.after, "spec") or {}
    is_indexed = spec.get("completionMode") == "Indexed"
    return is_indexed and spec.get("completions") == spec.get("parallelism")


def _was_immutable(change: ObjectChange) -> bool:
    return value_at(change.before, "immutable") is True


def is_refused(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a rule in the definition of a custom kind refuses a change of a field."""
    kind, _ = change.names
    return any(_refuses(each, field) for each in committed_immutable_fields().get(kind, ()))


def _refuses(immutable: ImmutableField, field: ChangedField) -> bool:
    path = immutable.path
    if not is_below(field.stated_at, path):
        return False
    is_presence = field.stated_at == path and (field.is_added or field.is_removed)
    match immutable.reach:
        case Reach.CHANGE:
            return not is_presence
        case Reach.ONCE_SET:
            return not (is_presence and field.is_added)
        case Reach.PRESENCE:
            return is_presence


ROWS: tuple[AnyRow, ...] = (
    Row(
        ("*",),
        Verdict.IMMUTABLE,
        _DEFINED,
        sources.DOCS_TRANSITIONS,
        fields=("*",),
        field_condition=is_refused,
    ),
    _refused(
        "PriorityClass.scheduling.k8s.io",
        ("value", "preemptionPolicy"),
        sources.KUBERNETES_SCHEDULING,
    ),
    _refused("RuntimeClass.node.k8s.io", ("handler",), sources.KUBERNETES_NODE),
    _refused("IngressClass.networking.k8s.io", ("spec.controller",), sources.KUBERNETES_NETWORKING),
    _refused(
        "StorageClass.storage.k8s.io",
        ("provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"),
        sources.KUBERNETES_STORAGE,
    ),
    _except(
        "StatefulSet.apps",
        (
            "replicas",
            "ordinals",
            "template",
            "updateStrategy",
            "persistentVolumeClaimRetentionPolicy",
            "minReadySeconds",
            "revisionHistoryLimit",
        ),
        sources.KUBERNETES_APPS,
    ),
    _refused(
        "Job.batch",
        (
            "spec.template",
            "spec.selector",
            "spec.completionMode",
            "spec.podFailurePolicy",
            "spec.backoffLimitPerIndex",
            "spec.successPolicy",
            "spec.managedBy",
        ),
        sources.KUBERNETES_BATCH,
    ),
    Row(
        ("Job.batch",),
        Verdict.IMMUTABLE,
        "The API server refuses it, unless an indexed job changes its parallelism to the same "
        f"number. {_CONSEQUENCE}",
        sources.KUBERNETES_BATCH,
        fields=("spec.completions",),
        object_condition=lambda change: not _is_elastic(change),
    ),
    _refused("RoleBinding.rbac.authorization.k8s.io", ("roleRef",), sources.KUBERNETES_RBAC),
    _refused("ClusterRoleBinding.rbac.authorization.k8s.io", ("roleRef",), sources.KUBERNETES_RBAC),
    _refused("ResourceQuota", ("spec.scopes",), sources.KUBERNETES_CORE),
    _refused("Deployment.apps", ("spec.selector",), sources.KUBERNETES_APPS),
    _refused("DaemonSet.apps", ("spec.selector",), sources.KUBERNETES_APPS),
    _refused(
        "Service", ("spec.clusterIP", "spec.clusterIPs"), sources.KUBERNETES_CORE, is_certain=False
    ),
    _refused(
        "ResourceClaim.resource.k8s.io",
        ("spec",),
        sources.KUBERNETES_RESOURCE,
        is_certain=False,
    ),
    _refused(
        "ResourceClaimTemplate.resource.k8s.io",
        ("spec",),
        sources.KUBERNETES_RESOURCE,
    ),
    _refused("Secret", ("type",), sources.KUBERNETES_CORE),
    Row(
        ("ConfigMap", "Secret"),
        Verdict.IMMUTABLE,
        "The API server refuses it: the object says of itself that it is immutable. "
        f"{_CONSEQUENCE}",
        sources.KUBERNETES_CORE,
        fields=("data", "binaryData", "stringData", "immutable"),
        object_condition=_was_immutable,
    ),
    _except(
        "PersistentVolumeClaim",
        ("resources.requests", "volumeAttributesClassName"),
        sources.KUBERNETES_CORE,
    ),
    Row(
        ("ResourceFlavor.kueue.x-k8s.io",),
        Verdict.IMMUTABLE,
        f"The API server refuses it: nothing of a flavor with a topology changes. {_CONSEQUENCE}",
        sources.KUEUE_FLAVOR_TYPES,
        fields=("spec.nodeLabels", "spec.tolerations", "spec.topologyName"),
        field_condition=_is_in_topology,
    ),
    Row(
        ("Topology.kai.scheduler",),
        Verdict.IMMUTABLE,
        f"The API server refuses it: the labels of the levels are immutable. {_CONSEQUENCE}",
        sources.DOCS_TRANSITIONS,
        fields=("spec.levels.nodeLabel",),
    ),
)
