"""What the manager of MultiKueue may do in a worker.

The rules of site/static/examples/multikueue/create-multikueue-kubeconfig.sh of
https://github.com/kubernetes-sigs/kueue at v0.19.2, but that it writes only in the namespaces whose
jobs it takes, reads no more kinds than the cluster has, and changes all kinds that its code does.
"""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.training import Training
from charts_py.components.kueue.managed_kinds import installed_kinds
from charts_py.components.kueue_namespace.definition import KUEUE_NAMESPACE
from charts_py.components.kueue_queues.api import GROUP
from charts_py.components.kueue_queues.names import ACCOUNT
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform

_RBAC = "rbac.authorization.k8s.io"
_READ = ("get", "list", "watch")
_WRITER = f"{ACCOUNT}-writer"
_READER = f"{ACCOUNT}-reader"
_CHANGED = (("batch", "jobs"), ("ray.io", "rayclusters"), ("ray.io", "rayservices"))
"""What it patches to be as in the manager: the size of elastic jobs, and what a RayService serves
(`clientutil.Patch` in pkg/controller/jobs/job and pkg/controller/jobs/ray at v0.19.2)."""


def manager_access(platform: Platform) -> Iterator[Document]:
    """Yield the account of the manager with its token, and what it reads, where there is one."""
    if not platform.run_for_manager:
        return
    account = ObjectMeta(ACCOUNT, KUEUE_NAMESPACE)
    yield object_of("v1", "ServiceAccount", account, {"automountServiceAccountToken": False})
    # The API server puts the token into it.
    annotations = {"kubernetes.io/service-account.name": ACCOUNT}
    token = ObjectMeta(ACCOUNT, KUEUE_NAMESPACE, annotations=annotations)
    yield object_of("v1", "Secret", token, {"type": "kubernetes.io/service-account-token"})
    kinds = tuple(_kinds(platform.cluster.training))
    yield _role(_READER, [_rule(group, resource, *_READ) for group, resource in kinds])
    yield _role(_WRITER, _written(kinds))
    yield object_of(f"{_RBAC}/v1", "ClusterRoleBinding", ObjectMeta(_READER), _bound(_READER))


def writer_binding(namespace: str) -> Document:
    """Return what lets the manager run jobs in a namespace."""
    metadata = ObjectMeta(ACCOUNT, namespace)
    return object_of(f"{_RBAC}/v1", "RoleBinding", metadata, _bound(_WRITER))


def _kinds(training: Training) -> Iterator[tuple[str, str]]:
    """Yield group and resource of what runs in a worker. Deployments do as pods."""
    yield GROUP, "workloads"
    for kind in installed_kinds(training):
        if kind.kind != "Deployment":
            yield kind.group, kind.resource


def _written(kinds: tuple[tuple[str, str], ...]) -> list[dict[str, Any]]:
    made = [_rule(group, resource, "create", "delete") for group, resource in kinds]
    changed = [_rule(GROUP, "workloads", "patch", "update")]
    changed.append(_rule(GROUP, "workloads/status", "get", "patch", "update"))
    return [*made, *changed, *(_rule(*pair, "patch") for pair in kinds if pair in _CHANGED)]


def _rule(group: str, resource: str, *verbs: str) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": [resource], "verbs": sorted(verbs)}


def _role(name: str, rules: list[dict[str, Any]]) -> Document:
    return object_of(f"{_RBAC}/v1", "ClusterRole", ObjectMeta(name), {"rules": rules})


def _bound(role: str) -> dict[str, Any]:
    subject = {"kind": "ServiceAccount", "name": ACCOUNT, "namespace": KUEUE_NAMESPACE}
    return {
        "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": role},
        "subjects": [subject],
    }
