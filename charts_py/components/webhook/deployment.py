"""The pods of the admission webhook's server."""

from collections.abc import Iterable
from typing import Any

from charts_py.components.webhook.server import (
    METADATA,
    NAME,
    PORT,
    PORT_NAME,
    SELECTOR,
    USER,
)
from charts_py.components.webhook.settings import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of
from charts_py.objects.pull_secrets import pull_secrets
from gpus.platform_names import POOL

_SETTINGS = "/etc/gpuplane/settings"
_CERTIFICATE = "/etc/gpuplane/certificate"
_TEMPORARY = "/tmp"  # noqa: S108 # a volume of the pod's own

_GRACE_SECONDS = 30
"""Six times what the server drains after SIGTERM, before it finishes what is under way."""


def service_account() -> Document:
    """Return a ServiceAccount without a token."""
    return object_of("v1", "ServiceAccount", METADATA, {"automountServiceAccountToken": False})


def deployment(
    *,
    image: str,
    priority_class: str,
    certificate_secret: str,
    pull_secret_names: Iterable[str] = (),
) -> Document:
    """Return a Deployment that meets the restricted Pod Security Standard.

    The autoscaler decides how many replicas there are, so that the Deployment says nothing of it.
    Pods are never replaced before their successors are ready.
    """
    pod = {
        **pull_secrets(pull_secret_names),
        **_pod(image, priority_class, certificate_secret),
    }
    spec = {
        "selector": {"matchLabels": dict(SELECTOR)},
        "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {"metadata": {"labels": dict(SELECTOR)}, "spec": pod},
    }
    return object_of("apps/v1", "Deployment", METADATA, {"spec": spec})


def _pod(image: str, priority_class: str, certificate_secret: str) -> dict[str, Any]:
    return {
        "serviceAccountName": NAME,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "priorityClassName": priority_class,
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
        "containers": [_container(image)],
        "volumes": _volumes(certificate_secret),
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
        # By default a tainted node, on which no pod of ours can run, counts as one without any, and
        # then no other may take a second
        # (https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/).
        "nodeTaintsPolicy": "Honor",
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


def _volumes(certificate_secret: str) -> list[dict[str, Any]]:
    secret = {"secretName": certificate_secret, "defaultMode": 0o440}
    return [
        {"name": "settings", "configMap": {"name": SETTINGS_CONFIG_MAP}},
        {"name": "certificate", "secret": secret},
        {"name": "temporary", "emptyDir": {"sizeLimit": "64Mi"}},
    ]
