"""What objects of the platform have in common."""

from typing import Any

GPU_TOLERATION = {
    "key": "nvidia.com/gpu",
    "operator": "Equal",
    "value": "present",
    "effect": "NoSchedule",
}


def managed(name: str, namespace: str | None = None, **others: Any) -> dict[str, Any]:
    """Return the metadata of an object that gpuplane renders."""
    placed = {} if namespace is None else {"namespace": namespace}
    labels = {"app.kubernetes.io/managed-by": "gpuplane"}
    return {"name": name, **placed, "labels": labels, **others}
