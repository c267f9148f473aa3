"""The pods of the training operator, which meet the restricted Pod Security Standard."""

from importlib.resources import files
from typing import Any

from charts_py.components.operator_network_policy import WEBHOOK_PORT
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
    WEBHOOK_SECRET,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform

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
