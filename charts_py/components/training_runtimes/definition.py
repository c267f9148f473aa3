"""Runtimes of Kubeflow Trainer: a job names a pool and a framework, and gets whole nodes of it.

A ClusterTrainingRuntime `FRAMEWORK-POOL` for each pool with several whole NVIDIA GPUs on a node.
Its pods ask for all GPUs of a node with their share of its CPUs and memory, for its network
interfaces, and for a `/dev/shm` in memory; where NVLink joins the machines of a pool they stand in
one domain, and claim a channel of the ComputeDomain that each namespace with a quota there gets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.training_runtimes.compute_domain import compute_domain
from charts_py.components.training_runtimes.runtimes import (
    claims_channels,
    training_runtimes,
    without_claims,
    without_image,
    without_network,
)
from charts_py.platform.contribution import Contribution, TeamAdditions
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.training_runtime import runtime_images, runtime_pools
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.cluster_file.cluster import Cluster
    from charts_py.cluster_file.fault import Fault
    from charts_py.platform.platform import Platform, TeamNamespace


_NAME = "training-runtimes"


def _is_wanted(platform: Platform) -> bool:
    return platform.cluster.training.trainer is not None and bool(runtime_pools(platform))


def _registries(cluster: Cluster) -> tuple[str, ...]:
    trainer = cluster.training.trainer
    images = runtime_images(trainer).values() if trainer else ()
    return tuple(dict.fromkeys(registry_of(image) for image in images))


def _warnings(platform: Platform) -> Iterator[Fault]:
    if _is_wanted(platform):
        yield from without_network(platform)
        yield from without_claims(platform)
        yield from without_image(platform)


def _contributes(platform: Platform) -> Contribution:
    added = {each.name: {_NAME: _team(platform, each)} for each in platform.namespaces}
    return Contribution(teams=added)


def _team(platform: Platform, namespace: TeamNamespace) -> TeamAdditions:
    has_domain = claims_channels(platform, namespace)
    return TeamAdditions(objects=(compute_domain(namespace.name),) if has_domain else ())


TRAINING_RUNTIMES = Definition(
    name=_NAME,
    description=__doc__,
    appears="where `training` has Kubeflow Trainer, for pools of several whole NVIDIA GPUs a node",
    is_wanted=_is_wanted,
    fields=(
        "training.trainer",
        "pools",
        "teams.NAME.namespaces.NAME.podSecurity",
        "teams.NAME.namespaces.NAME.quota.gpus",
        "policies.sharedMemory",
        "policies.registries",
        "addons.computeDomains",
        "imagePullSecrets",
        "registries",
    ),
    # Its webhook judges them.
    depends_on=("kubeflow-trainer",),
    wave=Wave.NODE_FEATURES,
    objects=training_runtimes,
    registries=_registries,
    warnings=_warnings,
    contributes=_contributes,
)
