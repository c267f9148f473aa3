"""Where a cluster runs, and the block of its cluster file about the provider."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from charts_py.cluster_file.provider import EksProvisioner, GkeProvisioner
from charts_py.providers.onprem.definition import ONPREM
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_object import AdoptionError, FoundObject, Inventory
from gpuplane.adoption.nodes import (
    AKS_CLUSTER,
    EKS_GROUP,
    EKSCTL_CLUSTER,
    EKSCTL_GROUP,
    REGION,
    FoundNode,
)
from gpuplane.adoption.stated_pools import GROUP, NODE_CLASS_GROUP
from gpuplane.adoption.values import items, listed, strings
from gpus.provider import Provider
from policies.document import value_at

Choices: TypeAlias = Mapping[str, str]
"""Values that are found for a field, each with who states it."""
_DISCOVERY = "karpenter.sh/discovery"
"""The tag by which Karpenter's documentation finds a cluster's subnets
(https://karpenter.sh/docs/getting-started/)."""
_CNI = ("kube-system", "aws-node")
_CNRM_CLUSTER = re.compile(r"projects/([^/]+)/locations/([^/]+)/clusters/([^/]+)")
_ARM_CLUSTER = re.compile(
    r"/subscriptions/([^/]+)/resourceGroups/([^/]+)/.*/managedClusters/([^/]+)", re.IGNORECASE
)
_NODE_GROUP = re.compile(r"MC_([^_]+)_([^_]+)_[^_]+", re.IGNORECASE)


def provider_fields(
    provider: Provider, inventory: Inventory, nodes: tuple[FoundNode, ...]
) -> dict[str, Commented]:
    block = _BLOCKS.get(provider)
    return {} if block is None else {provider.value: Commented(block(inventory, nodes))}


def _one(field: str, found: Choices, where: str) -> Commented:
    """Return the one value that is found, or why there is none."""
    if len(found) == 1:
        value, origin = next(iter(found.items()))
        return Commented(value, origin)
    said = f"found {listed(found)}, choose one" if found else f"not in {where}; set it"
    return note(f"{field}: {said}")


def _eks(inventory: Inventory, nodes: tuple[FoundNode, ...]) -> dict[str, Commented]:
    classes = tuple(inventory.of("EC2NodeClass"))
    roles = {str(one.spec["role"]): str(one) for one in classes if one.spec.get("role")}
    fields = {
        "clusterName": _one("clusterName", _eks_names(classes, nodes), "tags, or labels of nodes"),
        "nodeRole": _one("nodeRole", roles, "any EC2NodeClass"),
    }
    groups = [node for node in nodes if {EKS_GROUP, EKSCTL_GROUP} & {*node.labels}]
    if groups and not classes:
        origin = f"{groups[0]} is of a node group"
        fields["provisioner"] = Commented(EksProvisioner.EKSCTL.value, origin)
    elif groups:
        what = (
            f"{EksProvisioner.KARPENTER.value}, by which EC2NodeClass {classes[0].name} makes nodes"
        )
        beside = f"{groups[0]} is of a node group, which stays beside what Karpenter makes"
        fields["provisioner"] = note(f"provisioner: {what}; {beside}")
    if (cni := _prefix_delegation(inventory)) is not None:
        fields["prefixDelegation"] = Commented(value=True, origin=str(cni))
    terms = (term for one in classes for term in items(one.spec, "amiSelectorTerms"))
    if aliases := listed(term["alias"] for term in terms if "alias" in term):
        what = f"imageRelease: the nodes start from {aliases}; set the release of that date,"
        fields["imageRelease"] = note(f"{what} or they start from the newest that is known")
    return fields


def _eks_names(classes: Iterable[FoundObject], nodes: Iterable[FoundNode]) -> Choices:
    selected = {
        tags[_DISCOVERY]: str(one)
        for one in classes
        for field in ("subnetSelectorTerms", "securityGroupSelectorTerms")
        for tags in (strings(term, "tags") for term in items(one.spec, field))
        if _DISCOVERY in tags
    }
    labelled = {
        node.labels[EKSCTL_CLUSTER]: f"label {EKSCTL_CLUSTER}"
        for node in nodes
        if EKSCTL_CLUSTER in node.labels
    }
    return {**labelled, **selected}


def _prefix_delegation(inventory: Inventory) -> FoundObject | None:
    for found in inventory.of("DaemonSet", "apps"):
        if (found.namespace, found.name) == _CNI:
            for container in items(found.spec, "template", "spec", "containers"):
                for variable in items(container, "env"):
                    if variable.get("name") == "ENABLE_PREFIX_DELEGATION":
                        return found if variable.get("value") == "true" else None
    return None


def _gke(inventory: Inventory, nodes: tuple[FoundNode, ...]) -> dict[str, Commented]:
    clusters = _matches(_CNRM_CLUSTER, inventory, "ContainerNodePool", ("clusterRef", "external"))
    projects = _ids(nodes, "gce://", 2)
    where = "any ContainerNodePool, and no node names it"
    fields = {
        "project": _one("project", _part(clusters, 0) or projects, "any ContainerNodePool or node"),
        "clusterName": _one("clusterName", _part(clusters, 2), where),
        "location": _one("location", _part(clusters, 1), where),
    }
    if not clusters:
        usual, other = GkeProvisioner.CONFIG_CONNECTOR.value, GkeProvisioner.COMPUTE_CLASS.value
        what = f"no ContainerNodePool was found; absent, it is {usual}, otherwise set {other}"
        fields["provisioner"] = note(f"provisioner: {what}")
    return fields


def _aks(inventory: Inventory, nodes: tuple[FoundNode, ...]) -> dict[str, Commented]:
    clusters = _matches(_ARM_CLUSTER, inventory, "ManagedClustersAgentPool", ("owner", "armId"))
    ids = _ids(nodes, "azure:///subscriptions/", 4)
    # Only in a name of as many underscores is it known where one part ends.
    named = {
        matched.groups(): f"label {AKS_CLUSTER}"
        for node in nodes
        if (matched := _NODE_GROUP.fullmatch(node.labels.get(AKS_CLUSTER, "")))
    }
    where = f"any agent pool, nor told by the label {AKS_CLUSTER}"
    return {
        "subscription": _one("subscription", _part(clusters, 0) or ids, "any agent pool or node"),
        "resourceGroup": _one("resourceGroup", _part(clusters, 1) or _part(named, 0), where),
        "clusterName": _one("clusterName", _part(clusters, 2) or _part(named, 1), where),
    }


def _ids(nodes: Iterable[FoundNode], beginning: str, index: int) -> Choices:
    """Return a part of the provider's ids of nodes that begin so, counted by their slashes."""
    return {
        node.provider_id.split("/")[index]: f"providerID of {node}"
        for node in nodes
        if node.provider_id.startswith(beginning)
    }


def _matches(
    pattern: re.Pattern[str], inventory: Inventory, kind: str, path: tuple[str, ...]
) -> dict[tuple[str, ...], str]:
    found = ((one, pattern.match(str(value_at(one.spec, path)))) for one in inventory.of(kind))
    return {matched.groups(): str(one) for one, matched in found if matched}


def _part(found: Mapping[tuple[str, ...], str], index: int) -> Choices:
    return {parts[index]: origin for parts, origin in found.items()}


_BLOCKS: Mapping[Provider, Callable[[Inventory, tuple[FoundNode, ...]], dict[str, Commented]]] = {
    Provider.EKS: _eks,
    Provider.GKE: _gke,
    Provider.AKS: _aks,
}


def provider_of(inventory: Inventory, nodes: Iterable[FoundNode]) -> Provider:
    """Return where a cluster runs; raise AdoptionError where its objects show two providers."""
    by_node = {node.provider: str(node) for node in nodes if node.provider is not None}
    by_kind = {
        provider: str(found)
        for provider, facts in PROVIDERS.items()
        if facts.node_kind is not None
        for found in inventory.of(facts.node_kind)
    }
    on_aws = [
        str(found)
        for found in inventory.of("NodePool", GROUP)
        if value_at(found.spec, ("template", "spec", "nodeClassRef", "group")) == NODE_CLASS_GROUP
    ]
    by_class = {Provider.EKS: on_aws[0]} if on_aws else {}
    found = {**by_class, **by_kind, **by_node}
    if len(found) > 1:
        shown = listed(f"{provider.value} ({who})" for provider, who in found.items())
        what = f"{inventory.source}: objects of two providers, {shown}"
        raise AdoptionError(f"{what}; read one cluster at a time")
    return next(iter(found), ONPREM.name)


def region_of(nodes: Iterable[FoundNode]) -> Commented:
    regions = Counter(node.labels[REGION] for node in nodes if REGION in node.labels)
    if len(regions) == 1:
        return Commented(next(iter(regions)), f"label {REGION}")
    said = f"nodes are in {listed(regions)}" if regions else f"no node has the label {REGION}"
    return note(f"region: {said}; set it")


def kubernetes_of(nodes: Iterable[FoundNode]) -> Commented:
    versions = {node.kubernetes: node for node in nodes if node.kubernetes}
    if not versions:
        return note("kubernetes: no node names a version; set that of the API server")
    newest = max(versions, key=lambda version: [int(part) for part in re.split(r"\.", version)])
    what = f"kubelets are {listed(versions)}; the API server is as new as the newest, or newer"
    return Commented(newest, str(versions[newest]), (what,) if len(versions) > 1 else ())
