"""Clusters, and workloads for them."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from charts_py.load import load_platform
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.place import granted_pools, namespaces_of
from gpuplane.workloads.registry import BY_NAME
from tests.conftest import CLUSTERS, SAMPLES

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


def ask(**fields: Any) -> Asked:
    """Return a job of the team research, but for what the fields say."""
    usual: dict[str, Any] = {"kind": "job", "name": "demo", "team": "research", "image": IMAGE}
    return Asked(**usual | fields)


def asked_of(kind: str, platform: Platform) -> Iterator[Asked]:
    """Yield the kind on each pool of each namespace on which it can be."""
    allowed, only_whole_nodes = BY_NAME[kind].pools(platform), BY_NAME[kind].only_whole_nodes
    for team in platform.cluster.teams:
        for namespace in namespaces_of(platform, team, BY_NAME[kind]):
            for pool in granted_pools(platform, namespace):
                if pool not in allowed or (only_whole_nodes and not _holds_node(namespace, pool)):
                    continue
                yield ask(
                    kind=kind,
                    team=team,
                    namespace=namespace.name,
                    pool=pool.name,
                    gpus=None if only_whole_nodes else 1,
                    checkpoint="1Gi",
                )


def _holds_node(namespace: TeamNamespace, pool: PlatformPool) -> bool:
    return namespace.spec.quota.gpus[pool.name] >= pool.hardware.gpus


@pytest.fixture(params=FILES)
def platform(request: pytest.FixtureRequest) -> Platform:
    """Return each cluster."""
    return platform_named(request.param)
