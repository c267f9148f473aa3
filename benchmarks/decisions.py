"""Whether the webhook and `gpuplane admit` decide the same about ten thousand synthetic pods.

Run by `make bench-decisions`, on each example cluster.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import CLUSTERS, example_clusters
from benchmarks.synthetic_pods import synthetic_pods
from gpuplane.admission.loaded_rules import cluster_engine
from policies.admission import Effect, Outcome, Review, today
from policies.engine import Engine
from policies.manifest_admission import ManifestAdmission, admit_manifest
from policies.rule_name import RuleName
from policies.settings import Settings
from webhook.admission_round import AdmissionRound, admission_round, creation_of
from webhook.reviewer import Reviewer

PODS = 10_000
SEED = 2026
DECISIONS = ("admitted as it is", "fixed", "denied")


def _is_of_api_server(outcome: Outcome) -> bool:
    return outcome.effect is Effect.DENIED and outcome.finding.rule == RuleName.POD_SECURITY


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two ways decide about one pod."""

    webhook: AdmissionRound
    admit: ManifestAdmission

    @property
    def differences(self) -> list[str]:
        """Where they differ; empty where they agree."""
        # The webhook leaves to the API server what that refuses by itself.
        outcomes = [
            outcome
            for each in self.admit.pods
            for outcome in each.admission.outcomes
            if not _is_of_api_server(outcome)
        ]
        is_denied = any(outcome.effect is Effect.DENIED for outcome in outcomes)
        allowed = not (self.admit.refused or is_denied)
        compared = {
            "decision": (self.webhook.allowed, allowed),
            "pod": (self.webhook.document, self.admit.document),
            "findings": (list(self.webhook.outcomes), outcomes),
        }
        return [name for name, (one, other) in compared.items() if one != other]

    @property
    def decision(self) -> str:
        if not self.admit.allowed:
            return "denied"
        return "fixed" if self.admit.operations else "admitted as it is"


def compare(settings: Settings, pods: int) -> Iterator[Comparison]:
    reviewer, engine = Reviewer(settings), Engine(settings)
    for namespace, pod in islice(synthetic_pods(SEED, settings), pods):
        webhook = admission_round(reviewer, creation_of(pod, namespace))
        admit = admit_manifest(engine, pod, Review(namespace, today()), namespace)
        yield Comparison(webhook, admit)


def main() -> None:
    table = Table("cluster", "pods", *DECISIONS, "decided differently", "seconds")
    differing_pods = 0
    for name in example_clusters():
        settings = cluster_engine(CLUSTERS, name).settings
        start = time.perf_counter()
        compared = list(compare(settings, PODS))
        seconds = time.perf_counter() - start
        decisions = Counter(one.decision for one in compared)
        differing = sum(bool(one.differences) for one in compared)
        differing_pods += differing
        cells = (len(compared), *(decisions[decision] for decision in DECISIONS), differing)
        table.add_row(name, *map(str, cells), f"{seconds:.1f}")
    Console().print(table)
    if differing_pods:
        sys.exit("the webhook and gpuplane admit decide differently")


if __name__ == "__main__":
    main()
