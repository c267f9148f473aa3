"""What pods of the webhook's image have in common: the restricted Pod Security Standard.

https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
"""

from typing import Any

from charts_py.components.webhook.server import USER
from gpus.platform_names import POOL


def pod_fields() -> dict[str, Any]:
    """Return fields of such a pod: who it runs as, and that it takes no place on GPU nodes."""
    terms = [{"matchExpressions": [{"key": POOL, "operator": "DoesNotExist"}]}]
    off_gpu_nodes = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return {
        "enableServiceLinks": False,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "affinity": {"nodeAffinity": off_gpu_nodes},
    }


def container_security() -> dict[str, Any]:
    """Return the `securityContext` of each of its containers."""
    return {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }
