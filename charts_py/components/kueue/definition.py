"""Kueue, which holds jobs back until all their GPUs are free.

It judges every pod and job in the namespaces of teams, and none in others: a pod that it did not
see would hold a GPU that it gives away a second time. While no replica of it answers, nothing
starts in these namespaces. https://kueue.sigs.k8s.io
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.queues import Queues
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.kueue.api import MANAGED, by_framework, installed_kinds
from charts_py.components.namespaces import lasting_namespace
from charts_py.components.network_rules import WEBHOOK_PORT
from charts_py.components.scraping import authorized_metrics, scraped_by_operator
from charts_py.metrics.table import read_table
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.contribution import Contribution, Controller, PlatformNamespace
from charts_py.platform.fabric import CHANNEL_CLASS, joins_machines
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import TEAM_NAMESPACES
from charts_py.platform.wave import Wave
from gpus.allocator import device_class_resource
from gpus.platform_names import NVLINK_CHANNEL
from gpus.provider import Provider
from policies.settings import UNCOUNTED_ANYWHERE, PodSecurity

_GKE_NETWORKS = "networking.gke.io.networks/"
"""What GKE has nodes offer of each further network, and pods ask for that use it:
`NetworkResourceKeyPrefix` in https://github.com/kubernetes/cloud-provider-gcp,
crd/apis/network/v1/network_types.go at 91a9816b."""


def _configuration(platform: Platform, queues: Queues) -> Document:
    """Return the configuration; that of a manager of MultiKueue has only kinds that it installs.

    It watches each of them in every worker, and reaches none that lacks one
    (`updateConfigAndRefreshWatchers` in pkg/controller/admissionchecks/multikueue).
    """
    training = platform.cluster.training
    kinds = installed_kinds(training) if platform.workers else by_framework(MANAGED)
    configuration: Document = read_table(
        files(__package__) / "configuration.yaml",
        webhook_port=WEBHOOK_PORT,
        namespaces=dict(TEAM_NAMESPACES),
        frameworks=[kind.framework for kind in kinds],
        resources=counted_resources(platform),
        ready_minutes=queues.ready_minutes,
        recovery_minutes=queues.recovery_minutes,
        retries=queues.retries,
    )
    return configuration


def kueue_values(platform: Platform) -> Mapping[str, Any]:
    configuration = _configuration(platform, platform.cluster.queues or Queues())
    return known_chart("kueue").stated_values(platform, configuration=to_yaml(configuration))


def counted_resources(platform: Platform) -> Document:
    """Return the field `resources` of the configuration; a manager counts as its workers do.

    GPUs count, whoever gives them out, and nothing that comes with them. Source: pkg/workload,
    pkg/dra and pkg/scheduler/flavorassigner of https://github.com/kubernetes-sigs/kueue at v0.19.2.

    To ignore whatever no queue has a quota on would be simpler, but then no job is admitted whose
    pods without GPUs come before others, as a Ray cluster's head (`assignFlavors` in
    pkg/scheduler/flavorassigner/flavorassigner.go).
    """
    clusters = (platform, *platform.workers)
    return {
        "excludeResourcePrefixes": [*uncounted_resources(platform)],
        **_claims(_device_classes(clusters), has_channels=any(map(joins_machines, clusters))),
    }


def uncounted_resources(platform: Platform) -> tuple[str, ...]:
    """Return what the names of resources begin with that no queue counts.

    The quota of the namespace bounds them, or a node's GPUs bring them with them.
    """
    clusters = (platform, *platform.workers)
    pools = (pool for cluster in clusters for pool in cluster.pools)
    of_pools = {name for pool in pools if (name := pool.spec.rdma_resource)}
    queues = (queues for each in clusters if (queues := each.cluster.queues))
    of_gke = [_GKE_NETWORKS] if any(one.provider.name is Provider.GKE for one in clusters) else []
    stated = sorted(of_pools.union(*(each.uncounted for each in queues)))
    return (*UNCOUNTED_ANYWHERE, *of_gke, *stated)


def _device_classes(clusters: Sequence[Platform]) -> Mapping[str, str]:
    """Return by DeviceClass the resource that one of its devices is an allocation of."""
    return {
        pool.facts.device_class: resource.name
        for cluster in clusters
        for pool in cluster.pools
        if pool.facts.device_class is not None
        for resource in pool.facts.resources
    }


def _claims(classes: Mapping[str, str], *, has_channels: bool) -> Document:
    """Return the resources that claims count as, and those by which containers ask for devices.

    Kueue admits no pod with a claim of a class that it knows no name for (`is not mapped in DRA
    configuration` in pkg/dra/claims.go), nor of a name that its queue has no quota on: claims are
    added after others are excluded (`totalRequestsFromPodSets` in pkg/workload/workload.go). It
    finds the class that stands for a resource by itself, and not the one that the resource is named
    after (`resolveQuotaKey` in pkg/dra/extended_resources.go).
    """
    channels = {CHANNEL_CLASS: NVLINK_CHANNEL} if has_channels else {}
    named = {**channels, **classes}
    mappings = [{"name": named[each], "deviceClassNames": [each]} for each in named]
    renamed = [
        {"input": device_class_resource(name), "strategy": "Replace", "outputs": {resource: 1}}
        for name, resource in classes.items()
    ]
    return {
        **({"deviceClassMappings": mappings} if mappings else {}),
        **({"transformations": renamed} if renamed else {}),
    }


KUEUE_NAMESPACE = "kueue-system"
"""Where its documentation installs it, and what its visibility API expects."""
NAMESPACE_OF_KUEUE = lasting_namespace(
    name="kueue-namespace",
    description="""
The namespace of Kueue, which goes after Kueue, and that after the last of its queues.

Kueue has to release the queues.
""",
    own=PlatformNamespace(KUEUE_NAMESPACE, PodSecurity.RESTRICTED),
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=("queues",),
)
METRICS_SERVICE = "kueue-controller-manager-metrics-service"
"""The Service of its metrics; Prometheus names the job after it."""
_TARGET = authorized_metrics(
    METRICS_SERVICE,
    KUEUE_NAMESPACE,
    {"app.kubernetes.io/name": "kueue", "app.kubernetes.io/component": "metrics-service"},
)
_CONTROLLER = Controller(KUEUE_NAMESPACE, "kueue-controller-manager")


def _contributes(platform: Platform) -> Contribution:
    """Have its Deployment watched where nobody scrapes it, as by Google's managed collection."""
    is_scraped = platform.monitoring.has_operator
    return Contribution() if is_scraped else Contribution(controllers=(_CONTROLLER,))


KUEUE = Definition(
    name="kueue",
    description=__doc__,
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=("queues", "multiKueue", "training", "pools", "addons.computeDomains"),
    depends_on=("kueue-namespace",),
    wave=Wave.OPERATORS,
    namespace=KUEUE_NAMESPACE,
    charts=(known_chart("kueue"),),
    values=kueue_values,
    scraped=scraped_by_operator(_TARGET),
    contributes=_contributes,
    rules=alert_table(
        "kueue",
        KUEUE_NAMESPACE,
        __package__,
        namespace=KUEUE_NAMESPACE,
        service=METRICS_SERVICE,
        has=lambda platform, _: platform.monitoring.has_operator,
        reads_other_namespaces=False,
    ),
)
