"""How the API server reaches the training operator, which judges jobs, and what it shows it."""

from collections.abc import Iterator
from typing import Any

from charts_py.components.operator_network_policy import WEBHOOK_PORT
from charts_py.components.training_operator.names import (
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
