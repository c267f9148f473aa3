"""What answers about manifests need of a cluster: plain data, which a browser can have, too."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuplane.admission.cluster_rules import ClusterRules
from policies.engine import Engine
from policies.settings import Settings


@dataclass(frozen=True, slots=True)
class PoolCost:
    currency: str
    """ISO 4217."""
    gpu_hour: float | None
    """One GPU for an hour, with its part of the node; None where that is not known."""
    unpriced: str
    """Why it is not known; empty where it is."""
    gpus: Mapping[str, float]
    """What one allocation of each of its resources is in GPUs."""


@dataclass(frozen=True, slots=True)
class PlaygroundFacts:
    settings: Settings
    """Settings of its admission."""
    costs: Mapping[str, PoolCost]
    """Costs by the name of the pool."""
    quotas: Mapping[str, Mapping[str, Mapping[str, int]]]
    """The quota of each namespace of a team on each pool, in allocations of its GPU resources."""
    enforced: Mapping[str, Mapping[str, int]]
    """What the ResourceQuota of each namespace allows of each GPU resource, on all pools."""
    taken: tuple[str, ...] = ()
    """Namespaces whose jobs its workers run."""
    workers: "tuple[PlaygroundFacts, ...]" = field(default=())
    """The clusters that run jobs for it."""

    unjudged: tuple[str, ...] = ()
    """Rules of the platform team's own that are not judged where the answer is made."""

    @property
    def name(self) -> str:
        return self.settings.cluster


@dataclass(frozen=True, slots=True)
class PlaygroundCluster:
    facts: PlaygroundFacts
    rules: ClusterRules

    def run_by(self, worker: str) -> tuple[PlaygroundFacts, Engine]:
        """Return the facts and rules of a cluster that runs pods for it; its own for no name."""
        if not worker:
            return self.facts, self.rules.engine
        facts = {each.name: each for each in self.facts.workers}
        return facts[worker], self.rules.workers[worker]


def playground_cluster(facts: PlaygroundFacts) -> PlaygroundCluster:
    workers = {worker.name: Engine(worker.settings) for worker in facts.workers}
    return PlaygroundCluster(facts, ClusterRules(Engine(facts.settings), workers, facts.taken))
