"""The metadata that every object of the platform has."""

from typing import Any


def managed(name: str, namespace: str | None = None, **others: Any) -> dict[str, Any]:
    placed = {} if namespace is None else {"namespace": namespace}
    labels = {"app.kubernetes.io/managed-by": "gpuplane"}
    return {"name": name, **placed, "labels": labels, **others}
