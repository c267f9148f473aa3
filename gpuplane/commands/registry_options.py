"""The model registry that a command asks."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from charts_py.platform.platform import Platform
    from gpuplane.model_registry.registry_api import Registry
    from gpuplane.workloads.asked import Asked


def with_model_version(asked: "Asked", platform: "Platform") -> "Asked":
    """Return the same workload with the weights of the version that `models:/...` names.

    What names none is left, and refused as any other wrong weights are.
    """
    from gpuplane.workloads.model_version import read_reference

    reference = read_reference(asked.weights or "")
    if reference is None:
        return asked
    version = asked_registry(platform, None).version(reference)
    return replace(asked, weights=version.source, model_version=version)


def asked_registry(platform: "Platform | None", url: str | None) -> "Registry":
    """Return the registry at an address, or where the environment or the cluster says it is."""
    from charts_py.platform.model_registry import registry_bucket
    from gpuplane.model_registry.registry_api import TRACKING_URI, registry_of

    stated = platform.cluster.addons.model_registry if platform else None
    found = url or os.environ.get(TRACKING_URI) or (stated.uri if stated else None)
    if not found:
        raise typer.BadParameter(
            f"no model registry is known here; allowed: the variable {TRACKING_URI}, such as "
            "http://localhost:5000 while `kubectl port-forward --namespace mlflow service/mlflow "
            "5000` runs"
        )
    return registry_of(found, os.environ, registry_bucket(stated))
