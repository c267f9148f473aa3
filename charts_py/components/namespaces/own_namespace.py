"""A namespace of the platform itself, as its Namespace."""

from charts_py.objects.confirmed_removal import CONFIRMED_REMOVAL
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.contribution import PlatformNamespace
from upstream.kubernetes_version import KubernetesVersion


def own_namespace(own: PlatformNamespace, kubernetes: KubernetesVersion) -> Document:
    """Return the Namespace: what is enforced there is also what is reported."""
    level = own.pod_security
    labels = pod_security_labels(kubernetes, enforced=level, reported=level)
    annotations = CONFIRMED_REMOVAL if own.confirmed_removal else {}
    metadata = ObjectMeta(own.name, labels=labels, annotations=annotations)
    return object_of("v1", "Namespace", metadata, {})
