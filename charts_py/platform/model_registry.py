"""The model registry of a cluster: where MLflow answers, and where its files are."""

from charts_py.cluster_file.model_registry import ModelRegistry
from charts_py.platform.platform import Platform

MLFLOW = "mlflow"
"""Name of the namespace of an MLflow of the platform, of its Service, and of its Application."""
MLFLOW_PORT = 5000
MLFLOW_HOST = f"{MLFLOW}.{MLFLOW}.svc"


def tracking_uri(platform: Platform) -> str | None:
    """Return the address by which pods of teams reach MLflow; None without one."""
    registry = platform.cluster.addons.model_registry
    if registry is None:
        return None
    return registry.uri or f"http://{MLFLOW_HOST}:{MLFLOW_PORT}"


def registry_bucket(registry: ModelRegistry | None) -> str | None:
    """Return the folder of a bucket in which an MLflow of the platform keeps its files."""
    server = registry.server if registry else None
    return server.artifacts.bucket if server else None
