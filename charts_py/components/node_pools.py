"""The node pools, made by what the provider has for it.

Karpenter's NodePools or eksctl's node groups on EKS, Config Connector's node pools or
ComputeClasses on GKE, Azure Service Operator's agent pools on AKS; on machines of your own, rules
by which Node Feature Discovery labels and taints what is there.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from charts_py.cluster_file.fault import Problem
from charts_py.components.alert_tables import Rules, alerts_in_group, read_alerts
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.metrics.series import in_metrics
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import Alert, RuleGroup
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE, NODE_POOLS_NAMESPACE
from charts_py.platform.wave import Wave
from charts_py.providers.registry import PROVIDERS, no_placeholders, provisioner_of
from gpus.catalog import load_catalog
from gpus.sharing import SharingKind
from policies.settings import PodSecurity

NODES_UNKNOWN = "GpuplaneGpuNodesUnknown"
_PODS_WAIT = "GpuplaneGpuPodsWait"
_NAMESPACE = PlatformNamespace(
    # No pod but placeholders runs there. With it its objects would go, and with those the cloud's
    # machines.
    NODE_POOLS_NAMESPACE,
    PodSecurity.RESTRICTED,
    confirmed_removal=True,
)


def _parts(platform: Platform) -> Iterator[Component]:
    provisioner = provisioner_of(platform)
    yield Component(
        name=provisioner.component,
        wave=provisioner.wave,
        namespace=provisioner.namespace,
        objects=partial(provisioner.objects, platform),
        ignore_differences=provisioner.ignore_differences,
        is_synced=provisioner.is_synced,
        # Its removal waits for a person, and must hold nothing up.
        is_removed_last=provisioner.is_synced,
    )


def _contributes(platform: Platform) -> Contribution:
    provisioner = provisioner_of(platform)
    has_any = bool(provisioner.namespaces) or provisioner.has_placeholders
    return Contribution(namespaces=(_NAMESPACE,) if has_any else ())


def check_spare_nodes(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for spare nodes that do not run when they are needed."""
    if not draft.provider.makes_nodes or not draft.has_provider_settings:
        return
    keeps_idle = PROVIDERS[draft.provider.name].provisioner(draft.cluster).keeps_idle
    for pool in draft.pools:
        nodes, path = pool.spec.nodes, (*pool.path, "nodes")
        kept = nodes.warm if keeps_idle else 0
        if nodes.spare > kept and nodes.kept < nodes.max and draft.is_whole(path):
            yield Problem(
                (*path, "spare"),
                f"{nodes.spare}, but nothing keeps {nodes.spare - kept} of them running",
                f"min: {nodes.max}" + (f", or warm: {nodes.spare}" if keeps_idle else ""),
            )


def node_alerts(placeholders: str = "") -> tuple[Alert, ...]:
    """Return the alerts on nodes, by the resources of all makers of GPUs.

    A matcher leaves out `placeholders`, which may wait for ever.
    """
    makers = load_catalog().vendors.values()
    domains = {in_metrics(maker.resource.partition("/")[0]) for maker in makers}
    return read_alerts(
        __package__,
        "node_pools",
        domains="|".join(sorted(domains)),
        mig=SharingKind.MIG,
        placeholders=placeholders,
    )


def _alert_groups(platform: Platform) -> tuple[RuleGroup, ...]:
    alerts = partial(node_alerts, no_placeholders(platform))
    rules = alerts_in_group("gpu-nodes", KUBE_SYSTEM_NAMESPACE, alerts, has=_has_alert)
    return rules.groups(platform)


def _has_alert(platform: Platform, alert: Alert) -> bool:
    """Return whether a platform has an alert: where no pool keeps a node, none may be known.

    Where there are queues, jobs wait in them.
    """
    if alert.name == _PODS_WAIT:
        return platform.cluster.queue_engine is None
    return alert.name != NODES_UNKNOWN or any(pool.spec.nodes.kept for pool in platform.pools)


NODE_POOLS = Definition(
    name="node-pools",
    description=__doc__,
    appears="always; as `bootstrap`, which a person applies, where eksctl makes the nodes",
    fields=("pools", "eks", "gke", "aks", "driver.owner", "registries"),
    depends_on=("namespaces", "gpu-operator", "amd-gpu-operator", "node-feature-discovery"),
    wave=Wave.NODES,
    # No team can have it, even where the provisioner needs none.
    contribution=Contribution(namespaces=(replace(_NAMESPACE, made_elsewhere=True),)),
    contributes=_contributes,
    parts=_parts,
    checks=(check_spare_nodes,),
    # Every cluster has the namespace.
    rules=Rules(_alert_groups, node_alerts),
)
