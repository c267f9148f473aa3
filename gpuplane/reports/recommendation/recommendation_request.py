"""What `gpuplane recommend` is asked for: workloads, and the GPUs that they share."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.fault import Mark
from charts_py.cluster_file.source import lay_over, read_source
from charts_py.cluster_file.strict_model import MAX_CPUS_PER_NODE
from charts_py.load import draft_of, load_platform, read_fleet
from charts_py.platform.render_error import RenderError
from charts_py.platform.unknown_hardware import unknown_model
from charts_py.providers.onprem.definition import ONPREM
from gpuplane.reports.recommendation.recommendation import Recommendation, recommend
from gpuplane.reports.recommendation.target import ClusterContent, Target, target_of
from gpuplane.reports.recommendation.workload import Workload
from gpuplane.versions.check import selected_clusters
from gpuplane.versions.dist_error import unknown_name
from gpus.catalog import Catalog
from gpus.provider import Provider

MADE_UP = "recommended"
"""The pool, and the cluster where there is none."""
GPUS = 8
"""Of a machine of one's own, as most have."""


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """A cluster file."""

    clusters: Path
    """Folder of the cluster files."""
    name: str


@dataclass(frozen=True, slots=True)
class PoolRequest:
    """A pool of a cluster."""

    cluster: ClusterRequest
    pool: str | None
    """None for the only one."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Machines with GPUs of a model, in a pool that is in no file."""

    model: str
    gpus: int | None
    """GPUs of a machine; None for the most that there are."""
    cluster: ClusterRequest | None = None
    """The cluster that would get them; None for machines of one's own in no cluster."""


def recommend_for(
    workloads: Mapping[str, Workload], request: PoolRequest | ModelRequest
) -> Recommendation:
    """Return what is recommended for workloads.

    Raises SpecError with every fault of the cluster file, and RenderError for an unknown name.
    """
    if isinstance(request, PoolRequest):
        return recommend(workloads, pool_target(request))
    return recommend(workloads, model_target(request))


def pool_target(request: PoolRequest) -> Target:
    """Return the pool of a cluster file."""
    cluster = _read(request.cluster)
    pools = sorted(cluster.content["pools"])
    name = request.pool or (pools[0] if len(pools) == 1 else "")
    if name not in pools:
        raise RenderError(_unknown_pool(request, pools))
    return target_of(cluster, name)


def model_target(request: ModelRequest) -> Target:
    """Return a pool of machines with GPUs of a model, as it would be beside those of a cluster."""
    cluster = own_machines() if request.cluster is None else _read(request.cluster)
    fields = machine_fields(cluster, request.model, request.gpus)
    pools = {**cluster.content["pools"], MADE_UP: fields}
    content = {**cluster.content, "pools": pools}
    return target_of(ClusterContent(cluster.file, content, cluster.marks), MADE_UP, in_file=False)


def _read(request: ClusterRequest) -> ClusterContent:
    """Read a cluster file; raise SpecError with every fault, RenderError for an unknown name."""
    files = find_cluster_files(request.clusters)
    (file,) = selected_clusters(files, (request.name,))
    load_platform(file, files.fleet)
    source = lay_over(read_fleet(files.fleet), read_source(file, str(file)))
    return ClusterContent(file, source.content or {}, source.marks)


def _unknown_pool(request: PoolRequest, pools: list[str]) -> str:
    name = request.cluster.name
    if request.pool is None:
        return f"{name} has {len(pools)} pools; allowed: --pool with one of {', '.join(pools)}"
    return unknown_name("pool", request.pool, pools, name)


def own_machines() -> ClusterContent:
    """Return a cluster without pools, of machines of one's own."""
    content = {
        "provider": ONPREM.name.value,
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
