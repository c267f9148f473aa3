"""What changes of namespaces, volumes, classes, access and configuration do."""

from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, CHANGED, EITHER_SIDE, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_NAMESPACE = ("Namespace",)
_CLAIM = ("PersistentVolumeClaim",)
_STORAGE = ("StorageClass.storage.k8s.io",)
_PRIORITY = ("PriorityClass.scheduling.k8s.io",)
_RUNTIME = ("RuntimeClass.node.k8s.io",)
_NETWORK = ("NetworkPolicy.networking.k8s.io",)
_GROUP = "rbac.authorization.k8s.io"
_ROLES = (f"Role.{_GROUP}", f"ClusterRole.{_GROUP}")
_BINDINGS = (f"RoleBinding.{_GROUP}", f"ClusterRoleBinding.{_GROUP}")
_ACCOUNT = ("ServiceAccount",)
_CONFIG_MAP = ("ConfigMap",)
_SECRET = ("Secret",)
_CERTIFICATE = ("Certificate.cert-manager.io",)
_ISSUER = ("Issuer.cert-manager.io", "ClusterIssuer.cert-manager.io")

_VOLCANO_QUEUE = 'metadata.annotations["scheduling.volcano.sh/queue-name"]'
_POD_SECURITY = "pod-security.kubernetes.io/"


def _is_pod_security(_: ObjectChange, field: ChangedField) -> bool:
    return field.segments[-1].startswith(_POD_SECURITY)


ROWS: tuple[AnyRow, ...] = (
    Row(
        _NAMESPACE,
        Verdict.SAFE,
        "It is empty at first.",
        sources.DOCS_NAMESPACES,
        changes=ADDED,
    ),
    Row(
        _NAMESPACE,
        Verdict.DANGEROUS,
        "Everything in the namespace {name} is deleted with it: pods, volume claims, secrets, and "
        "what nobody has in git.",
        sources.DOCS_NAMESPACES,
        changes=REMOVED,
    ),
    Row(
        _NAMESPACE,
        Verdict.SAFE,
        "{old} becomes {new}: pods that run stay, whatever they ask for; new ones have to meet it.",
        sources.DOCS_POD_SECURITY,
        fields=("metadata.labels",),
        field_condition=_is_pod_security,
    ),
    Row(
        _NAMESPACE,
        Verdict.SAFE,
        "New jobs that name no queue wait in Volcano's queue default from now on, in place of "
        "{old}; jobs that wait or run stay in their queue.",
        sources.VOLCANO_NAMESPACES,
        fields=(_VOLCANO_QUEUE,),
        field_condition=lambda _, field: field.is_removed,
    ),
    Row(
        _NAMESPACE,
        Verdict.SAFE,
        "New jobs that name no queue wait in Volcano's queue {new} from now on, in place of {old}; "
        "jobs that wait or run stay in their queue.",
        sources.VOLCANO_NAMESPACES,
        fields=(_VOLCANO_QUEUE,),
    ),
    Row(
        _NAMESPACE,
        Verdict.SAFE,
        "{old} becomes {new}: policies, quotas and network policies that choose by the label treat "
        "the namespace differently from now on; running pods stay.",
        sources.DOCS_NAMESPACES,
        fields=("metadata.labels",),
        is_certain=False,
    ),
    Row(
        _NAMESPACE,
        Verdict.SAFE,
        "{old} becomes {new}: nothing chooses the namespace by an annotation; whoever reads it "
        "sees the new value, and running pods stay.",
        sources.DOCS_ANNOTATIONS,
        fields=("metadata.annotations",),
        is_certain=False,
    ),
    Row(
        _CLAIM,
        Verdict.SAFE,
        "A volume is bound once it is used.",
        sources.DOCS_VOLUMES,
        changes=ADDED,
    ),
    Row(
        _CLAIM,
        Verdict.DANGEROUS,
        "The volume goes with the claim {name}, and its data with it, unless its reclaim policy "
        "is Retain. A pod that uses it holds it until then.",
        sources.DOCS_VOLUMES,
        changes=REMOVED,
    ),
    Row(
        _CLAIM,
        Verdict.IMMUTABLE,
        "The API server refuses it: {old} cannot shrink to {new}. The sync fails until the change "
        "is taken back.",
        sources.KUBERNETES_CORE,
        fields=("spec.resources.requests",),
        field_condition=is_lowered,
    ),
    Row(
        _CLAIM,
        Verdict.SAFE,
        "The volume grows in place, {old} becoming {new}, where its class allows it.",
        sources.DOCS_VOLUMES,
        fields=("spec.resources.requests", "spec.volumeAttributesClassName"),
    ),
    Row(
        (*_STORAGE, *_RUNTIME),
        Verdict.SAFE,
        "It can be asked for from now on.",
        sources.DOCS_STORAGE_CLASSES,
        changes=ADDED,
    ),
    Row(
        _STORAGE,
        Verdict.SAFE,
        "Volumes of it stay; new claims that name it stay Pending.",
        sources.DOCS_STORAGE_CLASSES,
        changes=REMOVED,
    ),
    Row(
        _STORAGE,
        Verdict.SAFE,
        "Volumes of it stay as they are: {old} becomes {new} for new claims.",
        sources.DOCS_STORAGE_CLASSES,
        fields=("allowVolumeExpansion", "mountOptions", "allowedTopologies", "metadata"),
    ),
    Row(
        _RUNTIME,
        Verdict.SAFE,
        "Running containers stay. Pods that name it are refused from now on, those too that "
        "take the place of running ones; and a running pod does not come back after its node "
        "boots, since the kubelet no longer knows its runtime.",
        sources.RUNTIME_CLASS_ADMISSION,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _RUNTIME,
        Verdict.SAFE,
        "Pods get overhead, node selector and tolerations of their class when they are created: "
        "running ones stay as they are, and new ones get {new} in place of {old}.",
        sources.RUNTIME_CLASS_ADMISSION,
        fields=("overhead", "scheduling"),
    ),
    Row(
        _PRIORITY,
        Verdict.SAFE,
        "Pods can name it from now on; it changes the priority of none that runs.",
        sources.DOCS_PRIORITY,
        changes=ADDED,
    ),
    Row(
        _PRIORITY,
        Verdict.SAFE,
        "Running pods keep their priority. Pods that name it are refused from now on, those "
        "too that take the place of running ones.",
        sources.DOCS_PRIORITY,
        changes=REMOVED,
    ),
    Row(
        _PRIORITY,
        Verdict.SAFE,
        "{old} becomes {new}, for new pods alone.",
        sources.DOCS_PRIORITY,
        fields=("globalDefault", "description"),
    ),
    Row(
        _NETWORK,
        Verdict.SAFE,
        "New connections have to keep to it at once; the network plugin decides about open ones.",
        sources.DOCS_NETWORK_POLICIES,
        fields=("spec",),
        changes=CHANGED,
    ),
    Row(
        _NETWORK,
        Verdict.SAFE,
        "Connections of the pods that it selects are allowed or refused by the new rules at once; "
        "the network plugin decides about open ones.",
        sources.DOCS_NETWORK_POLICIES,
        changes=EITHER_SIDE,
    ),
    Row(
        (*_ROLES, *_BINDINGS),
        Verdict.SAFE,
        "It grants access at once.",
        sources.DOCS_ACCESS,
        changes=ADDED,
    ),
    Row(
        (*_ROLES, *_BINDINGS),
        Verdict.SAFE,
        "Whoever had access by it alone loses it at once; no pod is touched.",
        sources.DOCS_ACCESS,
        changes=REMOVED,
    ),
    Row(
        (*_ROLES, *_BINDINGS),
        Verdict.SAFE,
        "Access changes at once; no pod is touched.",
        sources.DOCS_ACCESS,
        fields=("rules", "subjects", "aggregationRule", "metadata.labels"),
    ),
    Row(
        _ACCOUNT,
        Verdict.SAFE,
        "Pods can run as it from now on.",
        sources.DOCS_ACCOUNTS,
        changes=ADDED,
    ),
    Row(
        _ACCOUNT,
        Verdict.DISRUPTIVE,
        "Its tokens end: pods that run as it lose their access, and new ones are refused.",
        sources.DOCS_ACCOUNTS,
        changes=REMOVED,
    ),
    Row(
        _ACCOUNT,
        Verdict.SAFE,
        "New pods see it.",
        sources.DOCS_ACCOUNTS,
        fields=("imagePullSecrets", "secrets", "automountServiceAccountToken", "metadata"),
    ),
    Row(
        (*_CONFIG_MAP, *_SECRET),
        Verdict.SAFE,
        "Nothing reads it before it is named.",
        sources.DOCS_CONFIG_MAPS,
        changes=ADDED,
    ),
    Row(
        (*_CONFIG_MAP, *_SECRET),
        Verdict.ROLLING,
        "Running pods keep what they read; pods that name it do not start without it.",
        sources.DOCS_CONFIG_MAPS,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        (*_CONFIG_MAP, *_SECRET),
        Verdict.SAFE,
        "Volumes of it are refreshed within a minute or so; what reads it as environment, or at "
        "its start, sees it once it restarts.",
        sources.DOCS_CONFIG_MAPS,
        fields=("data", "binaryData", "stringData", "immutable", "metadata"),
    ),
    Row(
        _CERTIFICATE,
        Verdict.ROLLING,
        "cert-manager issues it anew at once: {old} becomes {new}.",
        sources.CERT_MANAGER,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _CERTIFICATE,
        Verdict.SAFE,
        "cert-manager issues it.",
        sources.CERT_MANAGER,
        changes=ADDED,
    ),
    Row(
        _CERTIFICATE,
        Verdict.SAFE,
        "The Secret stays, and nobody renews it: whatever serves with it fails once it expires.",
        sources.CERT_MANAGER,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _ISSUER,
        Verdict.SAFE,
        "Certificates are issued by it from now on; issued ones stay.",
        sources.CERT_MANAGER_ISSUERS,
        fields=("spec",),
    ),
    Row(
        _ISSUER,
        Verdict.SAFE,
        "Certificates are issued by it from now on.",
        sources.CERT_MANAGER_ISSUERS,
        changes=ADDED,
    ),
    Row(
        _ISSUER,
        Verdict.SAFE,
        "Issued certificates stay, and are not renewed.",
        sources.CERT_MANAGER_ISSUERS,
        changes=REMOVED,
    ),
)
