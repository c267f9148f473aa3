"""What the training operator may do.

The rules of manifests/base/rbac/role.yaml of https://github.com/kubeflow/trainer at v1.9.4, but
that it reads and writes no Secret outside of its namespace, and only its own webhook configuration.
"""

from collections.abc import Iterator
from typing import Any

from charts_py.components.training_operator.names import (
    KINDS,
    METADATA,
    NAMESPACE,
    TRAINING_OPERATOR,
    WEBHOOK_CONFIGURATION,
    WEBHOOK_SECRET,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of

_RBAC = "rbac.authorization.k8s.io"
_READ = ("get", "list", "watch")
_WRITE = ("create", "delete", "get", "list", "patch", "update", "watch")


def access() -> Iterator[Document]:
    """Yield its ServiceAccount, its roles and that it has them."""
    yield object_of("v1", "ServiceAccount", METADATA, {"automountServiceAccountToken": False})
    rules = {"rules": [*_of_jobs(), *_of_pods(), *_of_webhooks()]}
    yield object_of(f"{_RBAC}/v1", "ClusterRole", ObjectMeta(TRAINING_OPERATOR), rules)
    yield _binding("ClusterRole", ObjectMeta(TRAINING_OPERATOR))
    yield object_of(f"{_RBAC}/v1", "Role", METADATA, {"rules": list(_of_certificate())})
    yield _binding("Role", METADATA)


def _binding(role: str, metadata: ObjectMeta) -> Document:
    account = {"kind": "ServiceAccount", "name": TRAINING_OPERATOR, "namespace": NAMESPACE}
    body = {
        "roleRef": {"apiGroup": _RBAC, "kind": role, "name": TRAINING_OPERATOR},
        "subjects": [account],
    }
    return object_of(f"{_RBAC}/v1", f"{role}Binding", metadata, body)


def _of_jobs() -> Iterator[dict[str, Any]]:
    plurals = [f"{kind.lower()}s" for kind in KINDS]
    yield _rule("kubeflow.org", plurals, *_WRITE)
    yield _rule("kubeflow.org", [f"{each}/finalizers" for each in plurals], "update")
    yield _rule("kubeflow.org", [f"{each}/status" for each in plurals], "get", "patch", "update")


def _of_pods() -> Iterator[dict[str, Any]]:
    yield _rule("", ["events", "pods"], *_WRITE)
    yield _rule("", ["services"], "create", "delete", *_READ)
    yield _rule("autoscaling", ["horizontalpodautoscalers"], *_WRITE)
    # For the launcher of an MPIJob, which starts its workers by `kubectl exec`: nobody can give a
    # right that they do not have.
    yield _rule("", ["pods/exec"], "create")
    yield _rule("", ["configmaps"], "create", "list", "update", "watch")
    yield _rule("", ["serviceaccounts"], "create", *_READ)
    yield _rule(_RBAC, ["rolebindings", "roles"], "create", "list", "update", "watch")


def _of_webhooks() -> Iterator[dict[str, Any]]:
    group, resources = "admissionregistration.k8s.io", ["validatingwebhookconfigurations"]
    yield _rule(group, resources, "list", "watch")
    yield {**_rule(group, resources, "get", "update"), "resourceNames": [WEBHOOK_CONFIGURATION]}


def _of_certificate() -> Iterator[dict[str, Any]]:
    yield _rule("", ["secrets"], "list", "watch")
    yield {**_rule("", ["secrets"], "get", "update"), "resourceNames": [WEBHOOK_SECRET]}
    yield _rule("coordination.k8s.io", ["leases"], "create", "get", "update")


def _rule(group: str, resources: list[str], *verbs: str) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": resources, "verbs": sorted(verbs)}
