"""What objects of the platform have in common."""

from typing import Any


def tolerates(key: str, value: str = "present") -> dict[str, str]:
    return {"key": key, "operator": "Equal", "value": value, "effect": "NoSchedule"}


GPU_TOLERATION = tolerates("nvidia.com/gpu", "present")


def managed(name: str, namespace: str | None = None, **others: Any) -> dict[str, Any]:
    """Return the metadata of an object that gpuplane renders."""
    placed = {} if namespace is None else {"namespace": namespace}
    labels = {"app.kubernetes.io/managed-by": "gpuplane"}
    return {"name": name, **placed, "labels": labels, **others}
