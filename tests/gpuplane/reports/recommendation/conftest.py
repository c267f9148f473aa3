"""Workloads, and the pools whose GPUs they share."""

from collections.abc import Callable

import pytest

from gpuplane.reports.recommendation.target import Target, model_target, pool_target, read_cluster
from gpuplane.reports.recommendation.workload import Workload
from tests.conftest import CLUSTERS


@pytest.fixture(scope="session")
def target() -> Callable[[str], Target]:
    """Return the function that returns `CLUSTER/POOL` of the examples, or eight GPUs of a model."""
    found: dict[str, Target] = {}

    def of(name: str) -> Target:
        if name not in found:
            cluster, slash, pool = name.partition("/")
            of_pool = slash and pool_target(read_cluster(CLUSTERS, cluster), pool)
            found[name] = of_pool or model_target(name, None)
        return found[name]

    return of


@pytest.fixture(scope="session")
def workload() -> Callable[..., Workload]:
    """Return the function that returns a workload with these fields."""

    def stated(**fields: object) -> Workload:
        return Workload.model_validate({"memory": "9Gi", "average": 0.1, **fields})

    return stated
