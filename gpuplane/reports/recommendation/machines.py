"""The fields of a pool that is in no file, by the GPU model of its machines."""

from pathlib import Path
from typing import Any

from charts_py.cluster_file.bounds import MAX_CPUS_PER_NODE
from charts_py.cluster_file.fault import Mark
from charts_py.load import draft_of
from charts_py.platform.render_error import RenderError
from charts_py.platform.unknown_hardware import unknown_model
from gpuplane.reports.recommendation.target import ClusterContent
from gpus.catalog import Catalog
from gpus.provider import Provider

MADE_UP = "recommended"
"""The pool, and the cluster where there is none."""

GPUS = 8
"""Of a machine of one's own, as most have."""


def own_machines() -> ClusterContent:
    """Return a cluster without pools, of machines of one's own."""
    content = {
        "provider": Provider.ONPREM.value,
        "region": "any",
        "kubernetes": "1.36",
        "version": "0.1.0",
        "gitops": {"repository": "https://example.com/gpu-platform.git"},
        # The chart's driver supports no GPU as old as V100.
        "driver": {"owner": "image"},
        "pools": {},
    }
    file = Path(f"{MADE_UP}.yaml")
    return ClusterContent(file, content, {(): Mark(str(file), 1)})


def machine_fields(cluster: ClusterContent, model: str, gpus: int | None) -> dict[str, Any]:
    """Return the fields of a pool of machines with so many GPUs of a model, or with the most.

    Raises RenderError for a model that is unknown, or that the provider has no such machine of.
    """
    draft, _ = draft_of(cluster.file, cluster.content)
    if model not in draft.catalog.models:
        raise RenderError(str(unknown_model((), model, draft.catalog)))
    common = {"purpose": "inference", "nodes": {"max": 1}}
    if draft.provider.makes_nodes:
        name = _instance_type(draft.catalog, draft.provider.name, model, gpus)
        return {"instanceType": name, **common}
    machine = {"gpu": model, "gpus": gpus or GPUS, "cpu": MAX_CPUS_PER_NODE, "memory": "1Ti"}
    # Their names tell them from machines with these GPUs that are another pool's.
    return {**machine, **common, "match": {"hostnames": [f"^{MADE_UP}-[0-9]+$"]}}


def _instance_type(catalog: Catalog, provider: Provider, model: str, gpus: int | None) -> str:
    """Return the first instance type with so many GPUs of the model, or with the most."""
    offered = [each for each in catalog.instance_types[provider].values() if each.gpu == model]
    fitting = [each for each in offered if gpus in (None, each.gpus)]
    if not fitting:
        wanted = f"{gpus} {model}" if gpus else model
        known = offered or catalog.instance_types[provider].values()
        allowed = ", ".join(sorted({f"{each.gpus} {each.gpu}" for each in known}))
        raise RenderError(f"{provider} has no machine with {wanted}; allowed: {allowed}")
    return max(fitting, key=lambda each: each.gpus).name
