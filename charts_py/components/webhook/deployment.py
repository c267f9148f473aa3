"""The pods of the admission webhook's server."""

from dataclasses import dataclass
from typing import Any

from constructs import Construct

from charts_py.components.webhook.server import (
    NAME,
    NAMESPACE,
    PORT,
    PORT_NAME,
    SELECTOR,
    USER,
)
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from gpus.platform_names import POOL

SETTINGS_KEY = "settings.json"
"""Key of the ConfigMap that holds the settings."""

_SETTINGS = "/etc/gpuplane/settings"
_CERTIFICATE = "/etc/gpuplane/certificate"
_TEMPORARY = "/tmp"  # noqa: S108 # a volume of the pod's own

_GRACE_SECONDS = 30
"""Six times what the server drains after SIGTERM, before it finishes what is under way."""


@dataclass(frozen=True, slots=True)
class WebhookDeploymentProps:
    """What the pods run."""

    image: str
    priority_class: str
    settings_config_map: str
    certificate_secret: str


class WebhookDeployment(Construct):
    """A Deployment that meets the restricted Pod Security Standard, and its ServiceAccount.

    The autoscaler decides how many replicas there are, so that the Deployment says nothing of it.
    Pods are never replaced before their successors are ready.
    """

    def __init__(self, scope: Construct, id: str, props: WebhookDeploymentProps) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
        add_object(self, "v1", "ServiceAccount", metadata, {"automountServiceAccountToken": False})
        spec = {
            "selector": {"matchLabels": dict(SELECTOR)},
            "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "template": {"metadata": {"labels": dict(SELECTOR)}, "spec": _pod(props)},
        }
        add_object(self, "apps/v1", "Deployment", metadata, {"spec": spec})


def _pod(props: WebhookDeploymentProps) -> dict[str, Any]:
    return {
        "serviceAccountName": NAME,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "priorityClassName": props.priority_class,
        "terminationGracePeriodSeconds": _GRACE_SECONDS,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "affinity": {"nodeAffinity": _off_gpu_nodes()},
        "topologySpreadConstraints": [
            _spread("kubernetes.io/hostname", "DoNotSchedule"),
            _spread("topology.kubernetes.io/zone", "ScheduleAnyway"),
        ],
        "containers": [_container(props.image)],
        "volumes": _volumes(props),
    }


def _off_gpu_nodes() -> dict[str, Any]:
    terms = [{"matchExpressions": [{"key": POOL, "operator": "DoesNotExist"}]}]
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}


def _spread(topology_key: str, when_unsatisfiable: str) -> dict[str, Any]:
    return {
        "maxSkew": 1,
        "topologyKey": topology_key,
        "whenUnsatisfiable": when_unsatisfiable,
        "labelSelector": {"matchLabels": dict(SELECTOR)},
        # Only pods of the same version are counted, so that a roll-out ends as spread as it began.
        "matchLabelKeys": ["pod-template-hash"],
    }


def _container(image: str) -> dict[str, Any]:
    return {
        "name": "webhook",
        "image": image,
        "args": [
            "serve",
            f"--port={PORT}",
            f"--settings={_SETTINGS}/{SETTINGS_KEY}",
            f"--certificate={_CERTIFICATE}/tls.crt",
            f"--key={_CERTIFICATE}/tls.key",
        ],
        "ports": [{"name": PORT_NAME, "containerPort": PORT, "protocol": "TCP"}],
        "startupProbe": {**_probe("/livez"), "periodSeconds": 1, "failureThreshold": 60},
        "livenessProbe": {**_probe("/livez"), "periodSeconds": 10, "failureThreshold": 6},
        "readinessProbe": {**_probe("/readyz"), "periodSeconds": 5, "failureThreshold": 2},
        "resources": {
            "requests": {"cpu": "200m", "memory": "256Mi"},
            "limits": {"cpu": "1", "memory": "512Mi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "volumeMounts": [
            {"name": "settings", "mountPath": _SETTINGS, "readOnly": True},
            {"name": "certificate", "mountPath": _CERTIFICATE, "readOnly": True},
            {"name": "temporary", "mountPath": _TEMPORARY},
        ],
    }


def _probe(path: str) -> dict[str, Any]:
    return {
        "httpGet": {"path": path, "port": PORT_NAME, "scheme": "HTTPS"},
        "timeoutSeconds": 2,
    }


def _volumes(props: WebhookDeploymentProps) -> list[dict[str, Any]]:
    secret = {"secretName": props.certificate_secret, "defaultMode": 0o440}
    return [
        {"name": "settings", "configMap": {"name": props.settings_config_map}},
        {"name": "certificate", "secret": secret},
        {"name": "temporary", "emptyDir": {"sizeLimit": "64Mi"}},
    ]
