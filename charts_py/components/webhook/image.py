"""The image that the webhook runs, and the fields that pods of that image have in common."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault
from charts_py.components.webhook.server import USER
from charts_py.platform.platform import Platform
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.tool_version import tool_version
from gpus.platform_names import POOL

_PLACEHOLDER = "ghcr.io/example/gpuplane-webhook"
"""What `dist/` names where the cluster file names none; nobody can pull it."""


def registries(cluster: Cluster) -> tuple[str, ...]:
    """Return where the image may come from: clusters that share mirrors may name different ones."""
    return registry_of(_PLACEHOLDER), registry_of(webhook_image(cluster))


def webhook_image(cluster: Cluster) -> str:
    """Return the image that the cluster file names, or else the placeholder."""
    return cluster.webhook.image or f"{_PLACEHOLDER}:{tool_version()}"


def placeholder_warnings(platform: Platform) -> Iterator[Fault]:
    image = webhook_image(platform.cluster)
    if image.startswith(f"{_PLACEHOLDER}:"):
        what = f"{image} is a placeholder that cannot be pulled, so the first sync would never end"
        allowed = "an image that is built and pushed, as README.md says of the webhook's image"
        yield platform.fault(("webhook", "image"), what, allowed)


def pod_fields() -> dict[str, Any]:
    """Return fields of such a pod: who it runs as, and that it takes no place on GPU nodes.

    Pod and containers meet the restricted level:
    https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
    """
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
    return {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
    }
