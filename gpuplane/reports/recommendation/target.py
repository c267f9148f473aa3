"""The pool whose GPUs are to be shared, and what its cluster file would be with other sharing.

It is a pool of a cluster, or machines with GPUs of a model in a pool that is in no file.
"""

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, RenderError, mark_at
from charts_py.cluster_file.other_names import unknown_name
from charts_py.cluster_file.source import lay_over, read_source
from charts_py.cluster_file.strict_model import MAX_CPUS_PER_NODE
from charts_py.load import draft_of, load_platform, read_fleet
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.pool_price import NoPrice, Price, pool_price
from charts_py.platform.provider_facts import NodeHardware
from charts_py.platform.unknown_hardware import unknown_model
from charts_py.providers.onprem.definition import ONPREM
from gpuplane.model_name import whole_model_name
from gpuplane.versions.check import selected_clusters
from gpus.catalog import Catalog
from gpus.pool_facts import PoolFacts
from gpus.provider import Provider
from gpus.sharing import Sharing

SYSTEM_PODS = 26
"""Pods of Kubernetes and of the platform for which a node keeps room, as the cluster file advises:
`maxPods: 250` for 224 allocations."""
_MADE_UP = "recommended"
"""The pool that is in no file, and its cluster where it is in none."""
_MANY = 64
_GPUS = 8
"""GPUs of a machine of one's own, as most have."""


@dataclass(frozen=True, slots=True)
class ClusterContent:
    """What a cluster file says, over what the fleet shares."""

    file: Path
    content: Mapping[str, Any]
    marks: Mapping[FieldPath, Mark]


@dataclass(frozen=True, slots=True)
class Trial:
    """A cluster file with other sharing of one pool."""

    block: Mapping[str, Any]
    """The fields of the pool that change, as the file has them."""
    facts: PoolFacts | None
    """None where GPUs cannot be shared like this."""
    refused: tuple[Problem, ...]
    """What is wrong with that sharing."""
    elsewhere: tuple[Fault, ...]
    """What has to change beside it: quotas."""


@dataclass(frozen=True, slots=True)
class Target:
    """A pool of a cluster file that has no fault."""

    cluster: ClusterContent
    draft: Draft
    pool: DraftPool
    hardware: NodeHardware
    in_file: bool
    """Whether the pool is somebody's, or made up for a GPU model."""
    tried: dict[Sharing, Trial] = field(default_factory=dict, compare=False)

    @property
    def price(self) -> Price | NoPrice:
        return pool_price(self.pool.spec, self.hardware, self.draft.cluster)

    def room(self, parts: int) -> int:
        """Return the pods that each of so many parts of a GPU can hold, by the pods of a node."""
        return (self._pod_bound - SYSTEM_PODS) // (self.hardware.gpus * parts)

    @property
    def most_nodes(self) -> int:
        """The nodes that the pool may have; many where it is in no file."""
        return self.pool.spec.nodes.max if self.in_file else _MANY

    @property
    def _pod_bound(self) -> int:
        maximum = self.draft.provider.max_pods_per_node
        return min(maximum, self.pool.addressed_pods or maximum)

    def trial(self, sharing: Sharing) -> Trial:
        if sharing not in self.tried:
            self.tried[sharing] = self._tried(sharing)
        return self.tried[sharing]

    def _tried(self, sharing: Sharing) -> Trial:
        block: dict[str, Any] = {"sharing": _fields(sharing)}
        pool, problems = self._draft(block)
        if pool.facts and pool.facts.allocations_per_node > pool.max_pods:
            needed = pool.facts.allocations_per_node + SYSTEM_PODS
            block["maxPods"] = min(needed, self._pod_bound)
            pool, problems = self._draft(block)
        marks = self.cluster.marks
        elsewhere = [problem for problem in problems if problem.path[:1] == ("teams",)]
        return Trial(
            block=block,
            facts=pool.facts,
            refused=tuple(problem for problem in problems if problem not in elsewhere),
            elsewhere=tuple(Fault(mark_at(each.path, marks), each) for each in elsewhere),
        )

    def pool_name(self, number: int) -> str:
        """Return what a pool is called that has the same nodes: the first is this one."""
        return self.pool.name if number == 0 else f"another{number if number > 1 else ''}"

    def mps_problem(self, sharings: Sequence[Sharing]) -> Problem | None:
        """Return why MPS cannot be beside the others, each in a pool of its own, if it cannot."""
        pools = {
            self.pool_name(number): {
                **self.cluster.content["pools"][self.pool.name],
                "sharing": _fields(sharing),
            }
            for number, sharing in enumerate(sharings)
        }
        content = {**self.cluster.content, "pools": {**self.cluster.content["pools"], **pools}}
        _, problems = draft_of(self.cluster.file, content)
        return next((each for each in problems if each.path[-2:] == ("sharing", "mps")), None)

    def _draft(self, block: Mapping[str, Any]) -> tuple[DraftPool, Sequence[Problem]]:
        content: dict[str, Any] = deepcopy(dict(self.cluster.content))
        content["pools"][self.pool.name] |= block
        draft, problems = draft_of(self.cluster.file, content)
        (pool,) = (each for each in draft.pools if each.name == self.pool.name)
        return pool, problems


def target_of(cluster: ClusterContent, name: str, *, in_file: bool = True) -> Target:
    """Return a pool of a cluster; raise RenderError with all that is wrong with the cluster."""
    draft, problems = draft_of(cluster.file, cluster.content)
    if problems:
        raise RenderError("\n".join(map(str, problems)))
    (pool,) = (each for each in draft.pools if each.name == name)
    assert pool.hardware is not None  # noqa: S101 # a file without faults has all hardware
    return Target(cluster, draft, pool, pool.hardware, in_file)


def _fields(sharing: Sharing) -> dict[str, Any]:
    fields = {
        "mig": dict(sharing.mig),
        "timeSlicing": sharing.time_slicing if sharing.time_slicing > 1 else None,
        "mps": sharing.mps if sharing.mps > 1 else None,
    }
    return {name: value for name, value in fields.items() if value}


def read_cluster(clusters: Path, name: str) -> ClusterContent:
    """Read a cluster file; raise SpecError with every fault, RenderError for an unknown name."""
    files = find_cluster_files(clusters)
    (file,) = selected_clusters(files, (name,))
    load_platform(file, files.fleet)
    source = lay_over(read_fleet(files.fleet), read_source(file, str(file)))
    return ClusterContent(file, source.content or {}, source.marks)


def pool_target(cluster: ClusterContent, name: str | None) -> Target:
    """Return a pool of a cluster, the only one without a name; raise RenderError for another."""
    pools = sorted(cluster.content["pools"])
    if name is None and len(pools) != 1:
        allowed = f"--pool with one of {', '.join(pools)}"
        raise RenderError(f"{cluster.file.stem} has {len(pools)} pools; allowed: {allowed}")
    name = pools[0] if name is None else name
    if name not in pools:
        raise RenderError(unknown_name("pool", name, pools, cluster.file.stem))
    return target_of(cluster, name)


def model_target(model: str, gpus: int | None, cluster: ClusterContent | None = None) -> Target:
    """Return a pool of machines with so many GPUs of a model, or with the most that there are.

    It is beside those of a cluster, or of machines of one's own in no cluster. Raises RenderError
    for a model that is unknown, or that the provider has no such machine of.
    """
    cluster = cluster or own_machines()
    pools = {**cluster.content["pools"], _MADE_UP: _machine_fields(cluster, model, gpus)}
    content = {**cluster.content, "pools": pools}
    return target_of(ClusterContent(cluster.file, content, cluster.marks), _MADE_UP, in_file=False)


def own_machines() -> ClusterContent:
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
    file = Path(f"{_MADE_UP}.yaml")
    return ClusterContent(file, content, {(): Mark(str(file), 1)})


def _machine_fields(cluster: ClusterContent, model: str, gpus: int | None) -> dict[str, Any]:
    draft, _ = draft_of(cluster.file, cluster.content)
    model = whole_model_name(model, _models(draft))
    if model not in draft.catalog.models:
        raise RenderError(str(unknown_model((), model, draft.catalog)))
    common = {"purpose": "inference", "nodes": {"max": 1}}
    if draft.provider.makes_nodes:
        name = _instance_type(draft.catalog, draft.provider.name, model, gpus)
        return {"instanceType": name, **common}
    machine = {"gpu": model, "gpus": gpus or _GPUS, "cpu": MAX_CPUS_PER_NODE, "memory": "1Ti"}
    # Their names tell them from machines with these GPUs that are another pool's.
    return {**machine, **common, "match": {"hostnames": [f"^{_MADE_UP}-[0-9]+$"]}}


def _models(draft: Draft) -> Collection[str]:
    if not draft.provider.makes_nodes:
        return draft.catalog.models
    return {each.gpu for each in draft.catalog.instance_types[draft.provider.name].values()}


def _instance_type(catalog: Catalog, provider: Provider, model: str, gpus: int | None) -> str:
    offered = [each for each in catalog.instance_types[provider].values() if each.gpu == model]
    fitting = [each for each in offered if gpus in (None, each.gpus)]
    if not fitting:
        wanted = f"{gpus} {model}" if gpus else model
        known = offered or catalog.instance_types[provider].values()
        allowed = ", ".join(sorted({f"{each.gpus} {each.gpu}" for each in known}))
        raise RenderError(f"{provider} has no machine with {wanted}; allowed: {allowed}")
    return max(fitting, key=lambda each: each.gpus).name
