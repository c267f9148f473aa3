"""The Namespaces of the platform itself."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.cluster_file.kubernetes_version import KubernetesVersion
from charts_py.components.namespaces.own_namespace import own_namespace
from charts_py.objects.kube_object import add_documents
from charts_py.platform.additions import OwnNamespace


class Namespaces(Construct):
    """One Namespace each, whose pods are judged by the rules of a Kubernetes version."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        namespaces: Iterable[OwnNamespace],
        kubernetes: KubernetesVersion,
    ) -> None:
        super().__init__(scope, id)
        ordered = sorted(namespaces, key=lambda own: own.name)
        add_documents(self, (own_namespace(own, kubernetes) for own in ordered))
