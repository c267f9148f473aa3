"""The Namespaces of the platform itself."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.objects.confirmed_removal import CONFIRMED_REMOVAL
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.additions import OwnNamespace
from charts_py.spec.kubernetes_version import KubernetesVersion


@dataclass(frozen=True, slots=True)
class NamespacesProps:
    """The namespaces, and the Kubernetes version whose rules judge their pods."""

    namespaces: tuple[OwnNamespace, ...]
    kubernetes: KubernetesVersion


class Namespaces(Construct):
    """One Namespace each: what is enforced there is also what is reported."""

    def __init__(self, scope: Construct, id: str, props: NamespacesProps) -> None:
        super().__init__(scope, id)
        for own in sorted(props.namespaces, key=lambda own: own.name):
            level = own.pod_security
            labels = pod_security_labels(props.kubernetes, enforced=level, reported=level)
            annotations = CONFIRMED_REMOVAL if own.confirmed_removal else {}
            metadata = ObjectMeta(own.name, labels=labels, annotations=annotations)
            add_object(self, "v1", "Namespace", metadata, {})
