"""The pool whose GPUs are to be shared, and what its cluster file would be with other sharing."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, mark_at
from charts_py.load import draft_of
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.hardware import NodeHardware
from charts_py.platform.pool_price import NoPrice, Price, pool_price
from charts_py.platform.render_error import RenderError
from gpus.pool_facts import PoolFacts
from gpus.sharing import Sharing

SYSTEM_PODS = 26
"""Pods of Kubernetes and of the platform for which a node keeps room, as the cluster file advises:
`maxPods: 250` for 224 allocations."""


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
        """What a node costs, or why that is not known."""
        return pool_price(self.pool.spec, self.hardware, self.draft.cluster)

    def room(self, parts: int) -> int:
        """Return the pods that each of so many parts of a GPU can hold, by the pods of a node."""
        return (self._pod_bound - SYSTEM_PODS) // (self.hardware.gpus * parts)

    @property
    def _pod_bound(self) -> int:
        """The most pods that a node can be told to hold."""
        maximum = self.draft.provider.max_pods_per_node
        return min(maximum, self.pool.addressed_pods or maximum)

    def trial(self, sharing: Sharing) -> Trial:
        """Return what becomes of the cluster file with this sharing of the pool."""
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
    """Return the block `sharing` of a pool."""
    fields = {
        "mig": dict(sharing.mig),
        "timeSlicing": sharing.time_slicing if sharing.time_slicing > 1 else None,
        "mps": sharing.mps if sharing.mps > 1 else None,
    }
    return {name: value for name, value in fields.items() if value}
