"""What answers need of a cluster, as it follows from its file."""

from pathlib import Path

import msgspec
import yaml

from charts_py.load import load_platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.playground.cluster_facts import PlaygroundFacts, PoolCost
from gpuplane.playground.platform_facts import platform_facts
from tests.gpuplane.playground.conftest import CLUSTERS, SAMPLES


def test_pools_have_their_cost_and_namespaces_their_quotas(training_facts: PlaygroundFacts) -> None:
    assert training_facts.costs["h100-spot"] == PoolCost(
        "USD", None, "no price of spot nodes is listed, since it varies", {"nvidia.com/gpu": 1.0}
    )
    assert training_facts.costs["a10g-notebooks"] == PoolCost(
        "USD", 1.418, "", {"nvidia.com/gpu.shared": 0.25}
    )
    assert training_facts.quotas["research-training"] == {
        "h100": {"nvidia.com/gpu": 96},
        "h100-spot": {"nvidia.com/gpu": 32},
    }


def test_what_is_enforced_is_the_resource_quota_that_is_rendered(
    training_facts: PlaygroundFacts,
) -> None:
    version = yaml.safe_load((CLUSTERS / "training.yaml").read_text("utf-8"))["version"]
    folder = CLUSTERS.parent / "dist" / "training" / version / "team-research"
    quota = folder / "ResourceQuota.research-training.quota.yaml"
    bound = yaml.safe_load(quota.read_text("utf-8"))["spec"]["hard"]["requests.nvidia.com/gpu"]
    assert training_facts.enforced["research-training"] == {"nvidia.com/gpu": int(bound)}


def test_the_clusters_that_run_jobs_for_another_are_facts_of_it() -> None:
    manager = load_platform(SAMPLES / "multikueue-manager.yaml", None)
    facts = platform_facts(manager)
    assert facts.taken == manager.taken_for_workers != ()
    assert [worker.settings for worker in facts.workers] == [
        policy_settings(worker) for worker in manager.workers
    ]


def test_they_can_be_written_and_read_again(training_facts: PlaygroundFacts) -> None:
    written = msgspec.json.encode(training_facts)
    assert msgspec.json.decode(written, type=PlaygroundFacts) == training_facts


def test_a_sample_without_prices_says_why() -> None:
    facts = platform_facts(load_platform(Path(SAMPLES / "onprem.yaml"), None))
    assert {cost.gpu_hour for cost in facts.costs.values()} == {None}
    assert {cost.unpriced for cost in facts.costs.values()} == {
        "machines of your own have no listed price"
    }
