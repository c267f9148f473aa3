"""Clusters, and workloads for them."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from charts_py.workloads.asked import Asked
from charts_py.workloads.choices import namespaces, pools
from charts_py.workloads.registry import BY_NAME
from tests.charts_py.conftest import CLUSTERS, SAMPLES

FLEET = CLUSTERS / "fleet.yaml"
FILES = {
    **{file.stem: file for file in sorted(CLUSTERS.glob("*.yaml")) if file != FLEET},
    **{f"sample-{file.stem}": file for file in sorted(SAMPLES.glob("*.yaml"))},
}
IMAGE = "registry.example.com/train:1.0"


@lru_cache
def platform_named(name: str) -> Platform:
    """Return a cluster of `clusters/`, or a sample."""
    file: Path = FILES[name]
    return load_platform(file, FLEET if file.parent == CLUSTERS else None)


def asked_of(kind: str, platform: Platform) -> Iterator[Asked]:
    """Yield the kind on each pool of each namespace, on one node and on two where both can be."""
    for team in platform.cluster.teams:
        for namespace in namespaces(platform, team, BY_NAME[kind]):
            for pool in pools(platform, namespace):
                yield Asked(
                    kind=kind,
                    name="demo",
                    team=team,
                    namespace=namespace.name,
                    pool=pool.name,
                    image=IMAGE,
                    gpus=1,
                    checkpoint="1Gi",
                )


@pytest.fixture(params=FILES)
def platform(request: pytest.FixtureRequest) -> Platform:
    """Return each cluster."""
    return platform_named(request.param)
