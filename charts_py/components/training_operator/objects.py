"""The Deployment of the training operator, its rights, and its webhooks."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from charts_py.components.network_rules import WEBHOOK_PORT
from charts_py.components.training_operator.names import (
    IMAGE,
    INIT_CONFIG_MAP,
    INIT_IMAGE,
    KINDS,
    KUBECTL_IMAGE,
    METADATA,
    METRICS_PORT,
    METRICS_PORT_NAME,
    NAMESPACE,
    SELECTOR,
    TRAINING_OPERATOR,
    VALIDATED_KINDS,
    WEBHOOK_CONFIGURATION,
    WEBHOOK_SECRET,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pull_secrets
from charts_py.platform.platform import Platform

_RBAC = "rbac.authorization.k8s.io"
_READ = ("get", "list", "watch")
_WRITE = ("create", "delete", "get", "list", "patch", "update", "watch")
_TEMPLATE = "init_container.yaml"
_TEMPLATE_FILE = "initContainer.yaml"
_HEALTH_PORT = 8081
_INIT_VARIABLE = "INIT_CONTAINER_IMAGE"
_KUBECTL_VARIABLE = "KUBECTL_DELIVERY_IMAGE"
"""Variables of images that it has pods of teams run; `gpuplane images` knows them by name."""
_ARGUMENTS = (
    "--leader-elect",
    # By default twenty requests a second, which a job of hundreds of pods waits for.
    *("--kube-api-qps=50", "--kube-api-burst=100", "--controller-threads=4"),
    *(f"--enable-scheme={kind.lower()}" for kind in KINDS),
    f"--pytorch-init-container-image=$({_INIT_VARIABLE})",
    f"--mpi-kubectl-delivery-image=$({_KUBECTL_VARIABLE})",
)
"""https://github.com/kubeflow/trainer, cmd/training-operator.v1/main.go at v1.9.4."""


def init_container() -> Document:
    """Return the init container of workers of PyTorchJobs, as the operator's template of it.

    Its own says nothing of its rights, so that restricted namespaces would refuse the workers.
    """
    template = (files(__package__) / _TEMPLATE).read_text(encoding="utf-8")
    metadata = ObjectMeta(INIT_CONFIG_MAP, NAMESPACE)
    return object_of("v1", "ConfigMap", metadata, {"data": {_TEMPLATE_FILE: template}})


def deployment(platform: Platform) -> Document:
    """Return the Deployment: of two replicas one runs jobs, and both judge them."""
    pod = {**pull_secrets(platform.cluster.pull_secret_names), **_pod(platform)}
    spec = {
        "replicas": 2,
        "selector": {"matchLabels": SELECTOR},
        "template": {"metadata": {"labels": SELECTOR}, "spec": pod},
    }
    return object_of("apps/v1", "Deployment", METADATA, {"spec": spec})


def _pod(platform: Platform) -> dict[str, Any]:
    return {
        "serviceAccountName": TRAINING_OPERATOR,
        "automountServiceAccountToken": True,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 65532,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(platform)],
        "volumes": [
            {"name": "certificate", "secret": {"secretName": WEBHOOK_SECRET}},
            {"name": "init-container", "configMap": {"name": INIT_CONFIG_MAP}},
        ],
    }


def _container(platform: Platform) -> dict[str, Any]:
    return {
        "name": TRAINING_OPERATOR,
        "image": platform.mirrors.of(IMAGE),
        "command": ["/manager"],
        "args": list(_ARGUMENTS),
        "env": [
            # By the namespace it finds the Secret of its certificate.
            {
                "name": "MY_POD_NAMESPACE",
                "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}},
            },
            {"name": _INIT_VARIABLE, "value": platform.mirrors.of(INIT_IMAGE)},
            {"name": _KUBECTL_VARIABLE, "value": platform.mirrors.of(KUBECTL_IMAGE)},
        ],
        "ports": [
            {"name": METRICS_PORT_NAME, "containerPort": METRICS_PORT, "protocol": "TCP"},
            {"name": "webhooks", "containerPort": WEBHOOK_PORT, "protocol": "TCP"},
        ],
        "livenessProbe": _probe("/healthz"),
        "readinessProbe": _probe("/readyz"),
        "resources": {
            "requests": {"cpu": "100m", "memory": "256Mi"},
            "limits": {"memory": "1Gi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "volumeMounts": [
            {
                "name": "certificate",
                "mountPath": "/tmp/k8s-webhook-server/serving-certs",  # noqa: S108 # of the pod
                "readOnly": True,
            },
            {"name": "init-container", "mountPath": "/etc/config", "readOnly": True},
        ],
    }


def _probe(path: str) -> dict[str, Any]:
    return {"httpGet": {"path": path, "port": _HEALTH_PORT}, "initialDelaySeconds": 10}


def access() -> Iterator[Document]:
    """Yield its ServiceAccount, its roles and that it has them.

    The rules are those of manifests/base/rbac/role.yaml of https://github.com/kubeflow/trainer at
    v1.9.4, but that it reads and writes no Secret outside of its namespace, and only its own
    webhook configuration.
    """
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


def service() -> Document:
    """Return the Service that the API server calls, and by which Prometheus finds the pods."""
    ports = [
        {"name": METRICS_PORT_NAME, "port": METRICS_PORT, "targetPort": METRICS_PORT_NAME},
        {"name": "webhooks", "port": 443, "targetPort": WEBHOOK_PORT},
    ]
    tcp = [{**port, "protocol": "TCP"} for port in ports]
    return object_of("v1", "Service", METADATA, {"spec": {"selector": SELECTOR, "ports": tcp}})


def certificate_secret() -> Document:
    """Return the Secret, without data, into which the operator writes its certificate."""
    return object_of("v1", "Secret", ObjectMeta(WEBHOOK_SECRET, NAMESPACE), {})


def webhook_configuration() -> Document:
    """Return the configuration, into which the operator writes its authority."""
    body = {"webhooks": list(_webhooks())}
    kind = "ValidatingWebhookConfiguration"
    metadata = ObjectMeta(WEBHOOK_CONFIGURATION)
    return object_of("admissionregistration.k8s.io/v1", kind, metadata, body)


def _webhooks() -> Iterator[dict[str, Any]]:
    for kind in VALIDATED_KINDS:
        name = kind.lower()
        yield {
            "name": f"validator.{name}.training-operator.kubeflow.org",
            "admissionReviewVersions": ["v1"],
            "clientConfig": {
                "service": {
                    "name": TRAINING_OPERATOR,
                    "namespace": NAMESPACE,
                    "path": f"/validate-kubeflow-org-v1-{name}",
                }
            },
            "failurePolicy": "Fail",
            "sideEffects": "None",
            "rules": [
                {
                    "apiGroups": ["kubeflow.org"],
                    "apiVersions": ["v1"],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": [f"{name}s"],
                }
            ],
        }
