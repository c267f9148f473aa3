"""The webhook and `gpuplane admit` decide the same."""

import pytest

from benchmarks.corpus import CLUSTERS, example_clusters
from benchmarks.decisions import DECISIONS, compare
from benchmarks.synthetic_pods import synthetic_pods
from gpuplane.admission.loaded_rules import cluster_engine
from policies.settings import Settings

PODS = 500
"""For each cluster; `make bench-decisions` uses more."""


@pytest.fixture(params=example_clusters())
def settings(request: pytest.FixtureRequest) -> Settings:
    return cluster_engine(CLUSTERS, request.param).settings


def test_the_webhook_and_admit_decide_alike_about_synthetic_pods(settings: Settings) -> None:
    compared = list(compare(settings, PODS))
    assert [one for one in compared if one.differences] == []
    assert {one.decision for one in compared} == set(DECISIONS)


def test_the_same_seed_makes_the_same_pods(settings: Settings) -> None:
    first, second, other = (synthetic_pods(seed, settings) for seed in (1, 1, 2))
    one = next(first)
    assert (one == next(second), one == next(other)) == (True, False)
