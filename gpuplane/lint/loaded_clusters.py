"""The clusters of a repository, read from their files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.cluster_files import find_cluster_files, repository_folder
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.gateway.listeners import listeners
from charts_py.components.object_policies import object_policies
from charts_py.components.team.object_counts import pod_quota
from charts_py.components.team.quota import CLAIMS, quota_bounds
from charts_py.extensions.manifest_files import Manifest, read_manifests
from charts_py.load import load_platforms
from charts_py.platform.fabric import runtime_images, runtime_name, runtime_pools
from charts_py.platform.gateway import GATEWAY, GATEWAY_NAMESPACE
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.pod_topology import queue_levels
from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.loaded_rules import cluster_platform
from gpuplane.lint.lint_run import ClusterFacts, GatewayFacts, Listener
from gpuplane.lint.rule import by_kind
from gpuplane.workloads.place import capacities
from gpus.platform_names import PURPOSE, TEAM
from policies.document import members, text, value_at
from policies.settings_json import write_settings

_SERVICES = {"LoadBalancer": "services.loadbalancers", "NodePort": "services.nodeports"}
"""What a quota counts of Services, by their type."""


def loaded_clusters(folder: Path, names: Sequence[str]) -> tuple[ClusterFacts, ...]:
    """Load the clusters of these names, or all of the folder.

    Raises DistError for a cluster without a file, FileNotFoundError where there is no cluster file,
    and SpecError where one of them or `fleet.yaml` is wrong.
    """
    if names:
        named = (_facts(cluster_platform(folder, name)) for name in names)
        return tuple(replace(each, is_named=True) for each in named)
    return tuple(map(_facts, load_platforms(find_cluster_files(folder))))


def _facts(platform: Platform) -> ClusterFacts:
    found = capacities(platform)
    own = [each for each in platform.namespaces if each.name not in platform.taken_for_workers]
    return ClusterFacts(
        name=platform.name,
        kubernetes=platform.cluster.kubernetes.value,
        settings=write_settings(policy_settings(platform)),
        workers={each.name: write_settings(policy_settings(each)) for each in platform.workers},
        custom_rules=tuple(platform.cluster.policies.own),
        taken=tuple(platform.taken_for_workers),
        capacities={each.name: found[each.name] for each in own},
        pods={each.name: pod_quota(platform, each) for each in own},
        claims=dict(_claims(platform, own)),
        refused_services={each.name: [*_refused_services(platform, each)] for each in own},
        policies=tuple(object_policies(platform)),
        lacks=tuple(_lacks(platform.cluster)),
        brings=tuple(_brings(platform)),
        levels=_levels(platform),
        runtimes=_runtimes(platform),
        gateway=_gateway(platform),
        not_live=_not_live(platform),
    )


def _not_live(platform: Platform) -> str:
    version = platform.cluster.version
    if not platform.is_live or platform.live == version:
        return ""
    return f"Judged by {platform.name} {version}, while {platform.live} is live."


def _claims(platform: Platform, namespaces: Iterable[TeamNamespace]) -> Iterator[tuple[str, int]]:
    for each in namespaces:
        if (count := quota_bounds(platform, each).get(CLAIMS)) is not None:
            yield each.name, int(count)


def _refused_services(platform: Platform, namespace: TeamNamespace) -> Iterator[str]:
    bounds = quota_bounds(platform, namespace)
    return (kind for kind, bound in _SERVICES.items() if bounds.get(bound) == "0")


def _levels(platform: Platform) -> Mapping[str, Sequence[str]] | None:
    if platform.cluster.queue_engine is not QueueEngine.KUEUE:
        return None
    levels = {pool.name: queue_levels(platform, pool) for pool in platform.pools}
    return {name: of_pool for name, of_pool in levels.items() if of_pool}


def _runtimes(platform: Platform) -> Sequence[str] | None:
    """Return the names of all runtimes; None where others may make some."""
    trainer, own = platform.cluster.training.trainer, platform.cluster.extensions
    if trainer is None or own.manifests is not None or own.constructs:
        return None
    frameworks = runtime_images(trainer)
    return [runtime_name(each, pool) for pool in runtime_pools(platform) for each in frameworks]


def _gateway(platform: Platform) -> GatewayFacts | None:
    gateway = platform.cluster.serving.gateway
    if gateway is None:
        return None
    labels = {
        each.name: {
            NAMESPACE_NAME_LABEL: each.name,
            TEAM: each.team_name,
            PURPOSE: each.spec.purpose.value,
        }
        for each in platform.namespaces
    }
    found = [
        Listener(
            each.name,
            each.hostname,
            [name for name, own in labels.items() if each.taken.items() <= own.items()],
        )
        for each in listeners(platform, gateway)
    ]
    return GatewayFacts(GATEWAY_NAMESPACE, GATEWAY, found)


def _lacks(cluster: Cluster) -> Iterator[str]:
    stated = cluster.model_dump(mode="json", by_alias=True)
    for each in sorted({each for fields in by_kind("controllers").values() for each in fields}):
        field, _, wanted = each.partition(": ")
        value = value_at(stated, field.split("."))
        if value != wanted if wanted else value in (None, False):
            yield each


def _brings(platform: Platform) -> Iterator[str]:
    """Yield the kinds, as `KIND.GROUP`, that the cluster's own manifests define."""
    manifests = platform.cluster.extensions.manifests
    if manifests is not None:
        repository = repository_folder(platform.directory)
        for each in read_manifests(platform.directory / manifests, repository):
            if isinstance(each, Manifest) and each.document["kind"] == "CustomResourceDefinition":
                spec = members(each.document.get("spec"))
                yield f"{text(value_at(spec, ['names', 'kind']))}.{text(spec.get('group'))}"
