from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from charts_py.load import load_platform
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.workloads.asked import Asked, AskedError
from gpuplane.workloads.kinds.kubeflow import MPIJOB
from gpuplane.workloads.kinds.llm import LLM
from gpuplane.workloads.parse_request import parse_request
from gpuplane.workloads.place import granted_pools, namespaces_of
from gpuplane.workloads.registry import BY_NAME
from policies.settings import PodSecurity
from tests.conftest import CLUSTERS, SAMPLES

FLEET = CLUSTERS / "fleet.yaml"
FILES = {
    **{file.stem: file for file in sorted(CLUSTERS.glob("*.yaml")) if file != FLEET},
    **{f"sample-{file.stem}": file for file in sorted(SAMPLES.glob("*.yaml"))},
}
RESTRICTED = PodSecurity.RESTRICTED
IMAGE = "registry.example.com/train:1.0"
SMALL_MODEL = {
    "weights": "Qwen/Qwen3-0.6B",
    "parameters": "0.6B",
    "precision": "fp16",
    "context": 1024,
    "concurrency": 4,
    "kv_bytes_per_token": 114688,
}


@lru_cache
def platform_named(name: str) -> Platform:
    """Return a cluster of `clusters/`, or a sample."""
    file: Path = FILES[name]
    return load_platform(file, FLEET if file.parent == CLUSTERS else None)


def for_launchers(platform: Platform) -> Platform:
    """Return a cluster whose namespaces let the launcher of an MPIJob start."""
    opened = {"pod_security": PodSecurity.BASELINE, "api_server": True}
    teams = {}
    for name, team in platform.cluster.teams.items():
        spaces = {one: spec.model_copy(update=opened) for one, spec in team.namespaces.items()}
        teams[name] = team.model_copy(update={"namespaces": spaces})
    return replace(platform, cluster=platform.cluster.model_copy(update={"teams": teams}))


def ask(**fields: Any) -> Asked:
    """Return a job of the team research, but for what the fields say."""
    usual: dict[str, Any] = {"kind": "job", "name": "demo", "team": "research", "image": IMAGE}
    return Asked(**usual | fields)


def asked_of(name: str, platform: Platform) -> Iterator[Asked]:
    """Yield the kind on each pool of each namespace on which it can be."""
    kind = BY_NAME[name]
    allowed, only_whole_nodes = kind.pools(platform), kind.only_whole_nodes
    for team in platform.cluster.teams:
        for namespace in namespaces_of(platform, team, kind):
            spec = namespace.spec
            if not kind.stores and spec.pod_security is RESTRICTED:
                continue
            if kind is MPIJOB and not (spec.api_server and spec.pod_security is not RESTRICTED):
                continue
            for pool in granted_pools(platform, namespace):
                if pool not in allowed:
                    continue
                if only_whole_nodes and not _holds_nodes(namespace, pool, kind.least_nodes):
                    continue
                asked = ask(
                    kind=name,
                    team=team,
                    namespace=namespace.name,
                    pool=pool.name,
                    gpus=None if only_whole_nodes else 1,
                    checkpoint="2Gi" if kind.stores else None,
                    **(SMALL_MODEL if kind is LLM else {}),
                )
                if kind is not LLM or _fits(asked, platform):
                    yield asked


def _fits(asked: Asked, platform: Platform) -> bool:
    try:
        parse_request(asked, LLM, platform)
    except AskedError as error:
        return " does not fit on pool " not in str(error)
    return True


def _holds_nodes(namespace: TeamNamespace, pool: PlatformPool, least: int) -> bool:
    has_nodes = namespace.spec.quota.gpus[pool.name] >= pool.hardware.gpus * least
    return has_nodes and pool.spec.nodes.max >= least


@pytest.fixture(params=FILES)
def platform(request: pytest.FixtureRequest) -> Platform:
    return platform_named(request.param)
