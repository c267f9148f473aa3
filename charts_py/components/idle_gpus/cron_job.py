"""The rounds of culling, in pods that meet the restricted Pod Security Standard."""

from collections.abc import Iterable
from typing import Any

from charts_py.components.idle_gpus.names import METADATA, NAME, SELECTOR
from charts_py.components.idle_gpus.settings import SETTINGS_KEY
from charts_py.components.webhook.image_pod import container_security, pod_fields
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of
from charts_py.objects.pull_secrets import pull_secrets

_SCHEDULE = "*/10 * * * *"
"""The shortest `idleMinutes` is that long; what is idle waits for as long at most."""
_SETTINGS = "/etc/gpuplane/settings"
_ROUND_SECONDS = 300
"""After which a round is given up, and the next one starts afresh."""


def cron_job(image: str, pull_secret_names: Iterable[str]) -> Document:
    """Return a CronJob whose rounds never overlap; one that fails is not tried again."""
    pod = {**pull_secrets(pull_secret_names), **_pod(image)}
    job = {
        "backoffLimit": 0,
        "activeDeadlineSeconds": _ROUND_SECONDS,
        "template": {"metadata": {"labels": SELECTOR}, "spec": pod},
    }
    spec = {
        "schedule": _SCHEDULE,
        "concurrencyPolicy": "Forbid",
        "startingDeadlineSeconds": _ROUND_SECONDS,
        "successfulJobsHistoryLimit": 1,
        "failedJobsHistoryLimit": 1,
        "jobTemplate": {"spec": job},
    }
    return object_of("batch/v1", "CronJob", METADATA, {"spec": spec})


def _pod(image: str) -> dict[str, Any]:
    return {
        "serviceAccountName": NAME,
        "automountServiceAccountToken": True,
        "restartPolicy": "Never",
        **pod_fields(),
        "containers": [_container(image)],
        "volumes": [{"name": "settings", "configMap": {"name": NAME}}],
    }


def _container(image: str) -> dict[str, Any]:
    return {
        "name": "cull",
        "image": image,
        "args": ["cull", f"--settings={_SETTINGS}/{SETTINGS_KEY}"],
        "resources": {
            "requests": {"cpu": "50m", "memory": "64Mi"},
            "limits": {"cpu": "500m", "memory": "256Mi"},
        },
        "securityContext": container_security(),
        "volumeMounts": [{"name": "settings", "mountPath": _SETTINGS, "readOnly": True}],
    }
