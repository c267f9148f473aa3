"""What culling may do, and where: nothing outside of the namespaces that ask for it."""

from collections.abc import Iterable, Iterator
from typing import Any

from charts_py.components.idle_gpus.names import METADATA, NAME, NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from culling.settings import Action

_RBAC = "rbac.authorization.k8s.io"

_SCALED = {
    "apps": ("deployments", "replicasets", "statefulsets"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets",),
}
"""What is scaled to 0, by API group."""


def access(action: Action, namespaces: Iterable[str]) -> Iterator[Document]:
    """Yield a role for the action, and that the service account has it in the namespaces."""
    yield object_of("v1", "ServiceAccount", METADATA, {"automountServiceAccountToken": False})
    rules = [*_read(), *(_end() if action is Action.END else ())]
    yield object_of(f"{_RBAC}/v1", "ClusterRole", ObjectMeta(NAME), {"rules": rules})
    for namespace in namespaces:
        yield _binding(namespace)


def _binding(namespace: str) -> Document:
    body = {
        "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": NAME},
        "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}],
    }
    return object_of(f"{_RBAC}/v1", "RoleBinding", ObjectMeta(NAME, namespace), body)


def _read() -> Iterator[dict[str, Any]]:
    """Yield the rights to find idle pods and their owners, and to report them."""
    yield _rule("", ("pods",), "get", "list")
    yield _rule("", ("events",), "create")
    yield _rule("batch", ("jobs",), "get")
    yield _rule("kubeflow.org", ("notebooks",), "get")
    for group, resources in _SCALED.items():
        yield _rule(group, resources, "get")


def _end() -> Iterator[dict[str, Any]]:
    yield _rule("", ("pods/eviction",), "create")
    yield _rule("kubeflow.org", ("notebooks",), "patch")
    for group, resources in _SCALED.items():
        yield _rule(group, resources, "patch")


def _rule(group: str, resources: tuple[str, ...], *verbs: str) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
