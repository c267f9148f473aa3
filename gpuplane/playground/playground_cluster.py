"""A cluster that answers what it makes of manifests."""

from dataclasses import dataclass

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.playground.cluster_facts import ClusterFacts
from policies.engine import Engine


@dataclass(frozen=True, slots=True)
class PlaygroundCluster:
    """The facts of a cluster, and its rules."""

    facts: ClusterFacts
    rules: ClusterRules

    def run_by(self, worker: str) -> tuple[ClusterFacts, Engine]:
        """Return the facts and rules of a cluster that runs pods for it; its own for no name."""
        if not worker:
            return self.facts, self.rules.engine
        facts = {each.name: each for each in self.facts.workers}
        return facts[worker], self.rules.workers[worker]


def playground_cluster(facts: ClusterFacts) -> PlaygroundCluster:
    """Return the cluster of these facts."""
    workers = {worker.name: Engine(worker.settings) for worker in facts.workers}
    return PlaygroundCluster(facts, ClusterRules(Engine(facts.settings), workers, facts.taken))
