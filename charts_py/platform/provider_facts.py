"""Facts of a provider of clusters: the choices that it allows, and its own doings."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from charts_py.cluster_file.addons import Prometheus
from charts_py.cluster_file.cluster import Cluster, NetworkPolicyEngine
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.strict_model import MAX_PODS_PER_NODE
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from gpus.instance_type import InstanceType, Interconnect
from gpus.model import GpuModel
from gpus.pool_facts import Advertiser, ResourceNaming
from gpus.provider import Provider
from gpus.purchase import Purchase
from gpus.taint import ProviderTaints


@dataclass(frozen=True, slots=True)
class NodeHardware:
    model: GpuModel
    gpus: int
    cpu: int
    memory: int
    """Bytes."""
    interconnect: Interconnect
    interconnect_interfaces: int = 0
    """RDMA interfaces, such as EFA devices."""
    local_nvme_gib: int = 0
    machine: InstanceType | None = None
    """The instance type; None where the pool states its hardware instead."""
    larger: tuple[InstanceType, ...] = ()
    """Further instance types that a node may be of instead, at least as large."""

    @property
    def most_cpu(self) -> int:
        return max([self.cpu, *(each.cpu for each in self.larger)])

    @property
    def most_memory(self) -> int:
        """Bytes."""
        return max([self.memory, *(int(each.memory_gib * 2**30) for each in self.larger)])


FoundObject: TypeAlias = Mapping[str, Any]
"""An object as the API server returns it."""


def _is_running(daemon_set: FoundObject) -> bool:
    return bool(daemon_set.get("status", {}).get("numberReady", 0))


@dataclass(frozen=True, slots=True)
class EngineSign:
    """An object that a cluster has where an engine enforces NetworkPolicies."""

    name: str
    namespace: str = KUBE_SYSTEM_NAMESPACE
    api_version: str = "apps/v1"
    kind: str = "DaemonSet"
    shows: Callable[[FoundObject], bool] = _is_running
    """Returns whether an object of that name shows it."""


CALICO = (EngineSign("calico-node", "calico-system"), EngineSign("calico-node"))
"""As its operator installs it, and as its manifests and GKE do
(https://docs.tigera.io/calico/latest/getting-started/kubernetes/)."""
CILIUM = (EngineSign("cilium"),)
"""https://docs.cilium.io/en/stable/installation/k8s-install-helm/"""
DEVICE_PLUGIN_FOLDER = "/var/lib/kubelet/device-plugins"
"""Where the kubelet listens for device plugins, and keeps what they advertise
(https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/)."""


class GpuHost(Struct, frozen=True, forbid_unknown_fields=True):
    """A GPU node before the operator's daemons run on it."""

    toolkit: Mapping[str, Any] = msgspec.field(default_factory=lambda: {"enabled": True})
    """Values of NVIDIA's container toolkit. The operator's works alongside an installed one."""
    runtime_class: str = "nvidia"
    """Name of containerd's runtime that the toolkit sets up."""
    driver_folder: str | None = None
    """Where the driver is, unless it is in the host's usual folders or the operator's own."""


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """What Kubernetes keeps of every node, at least: no pod can have it."""

    cpu: tuple[tuple[float, float], ...] = ()
    """CPUs, and how many thousandths are kept of each; after them the next CPUs, to the last."""
    memory: tuple[tuple[float, float], ...] = ()
    """GiB, and how many MiB are kept of each, likewise."""
    memory_mib: int = 0
    """MiB that are kept besides, with those at which pods are evicted."""

    def millicpu(self, cpus: int) -> int:
        return int(_kept(cpus, self.cpu))

    def memory_bytes(self, memory: int) -> int:
        return int((_kept(memory / 2**30, self.memory) + self.memory_mib) * 2**20)


def _kept(amount: float, steps: Iterable[tuple[float, float]]) -> float:
    kept = 0.0
    for size, of_each in steps:
        kept += min(amount, size) * of_each
        amount -= min(amount, size)
    return kept


KUBE_DNS = "kube-dns"
"""Label `k8s-app` of cluster DNS, whether it is kube-dns or CoreDNS
(https://kubernetes.io/docs/tasks/administer-cluster/dns-custom-nameservers/)."""


LabelValues: TypeAlias = str | tuple[str, ...] | Mapping[Purchase, str | tuple[str, ...]]
"""The values that a label can have, all alike or by purchase; by another it is not set."""
LabelNames: TypeAlias = Mapping[str, str | tuple[str, ...]]
"""Names in braces, and the values that they stand for."""


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of a provider that are known, and the form of its names."""

    names: tuple[str, ...] = ()
    """A fault names the one nearest to a misspelt one."""
    pattern: str = ".+"
    zone_pattern: str = ".+"
    """`{region}` stands for the cluster's region."""


class IdentityEndpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """An address at which a node gives pods the credentials of their workload identity."""

    cidr: str
    ports: tuple[int, ...]
    """TCP."""


class HealthCondition(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition of nodes by which a provider says whether their GPUs are well."""

    type: str
    status_when_well: str
    """`True` or `False`; a node without the condition counts as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFacts:
    """The facts of a provider that the rest of gpuplane needs."""

    name: Provider
    driver_owners: tuple[DriverOwner, ...]
    """The owners of the driver that it allows; the first is the default."""
    only_driver_owner: str | None = None
    """Why nobody else may, where the cloud has a way that is not open here."""
    advertiser: Advertiser
    """The owner of the device plugin that advertises NVIDIA GPUs."""
    naming: ResourceNaming = ResourceNaming.OWN
    """Names of partitions and shared GPUs: those of whole GPUs where nothing else starts nodes."""
    purchases: tuple[Purchase, ...]
    spot_notice: int | None = None
    """Seconds that pods have from SIGTERM until a spot node is gone; None where there are none."""
    unsold: Callable[[Cluster, Pool], Collection[Purchase]] | None = None
    """Returns the purchases by which what makes the nodes of a pool cannot have them."""
    interconnects: tuple[Interconnect, ...]
    """Networks that a pool without a known instance type may name."""
    uniform_mig: bool
    """Whether the provider partitions every GPU by one MIG profile when it creates the node."""
    kept: Kept = field(default_factory=Kept)
    """Nothing where the machines' owners decide."""
    taints: ProviderTaints = field(default_factory=ProviderTaints)
    network_policy_engines: Mapping[NetworkPolicyEngine, tuple[EngineSign, ...]]
    """The engines that can enforce NetworkPolicies; any one sign shows that an engine is there."""
    region: str
    """An example of a region."""
    regions: Regions = Regions()
    reservation_pattern: str | None = None
    """Pattern of a capacity reservation; None where there are none."""
    reservation_example: str | None = None
    max_clients: int | None = None
    """Maximum number of pods that may share one GPU by time-slicing."""
    one_mig_profile_per_size: bool = False
    """Whether a profile is chosen by its compute slices alone, such as `MIG1g`."""
    max_pods_per_node: int = MAX_PODS_PER_NODE
    prometheus: tuple[Prometheus, ...] = (Prometheus.OPERATOR,)
    """The kinds of Prometheus that may scrape and alert; the first is the default."""
    collector_namespaces: tuple[str, ...] = ()
    """Namespaces of the collectors that the provider manages."""
    managed_namespaces: tuple[str, ...] = ()
    """Where it runs daemons of its own, besides kube-system: no rule looks at their pods, and no
    team owns such a namespace."""
    dns_pods: tuple[str, ...] = (KUBE_DNS,)
    """Labels `k8s-app` of the pods in kube-system that may answer what pods ask the DNS Service.
    Cilium redirects it to the pods of NodeLocal DNSCache, `node-local-dns`, and judges these:
    https://docs.cilium.io/en/stable/network/kubernetes/local-redirect-policy/"""
    addressed_pods: Callable[[Cluster, NodeHardware], int | None] | None = None
    """Returns how many pods a node has addresses for, None where that is not known; None where
    `maxPods` alone bounds the pods of a node."""
    most_disk: Callable[[NodeHardware, DriverOwner], int | None] = lambda *_: None
    """Returns the most bytes of its disks that pods can have of a node; None where the size is not
    known."""
    joins_disks: Callable[[NodeHardware, DriverOwner], bool] = lambda *_: False
    """Returns whether the kubelet's folder lies on local NVMe disks."""
    provisioning_class: str | None = None
    """Class of the ProvisioningRequests for which its autoscaler starts all nodes of a job at once;
    None where pools cannot be bound to them."""
    topology_labels: tuple[str, ...] = ()
    """Labels that say where nodes stand, the outermost first; a machine carries the first of
    them, as many as its row in `gpus/tables` says."""
    identity_endpoints: tuple[IdentityEndpoint, ...] = ()
    """Empty where pods get their credentials over the internet, with a token of the cluster:
    https://learn.microsoft.com/azure/aks/workload-identity-overview"""
    identity_labels: Mapping[str, str] = field(default_factory=dict)
    """Labels of pods that get the credentials of their service account in the cloud."""
    hosts: Mapping[DriverOwner, GpuHost] = field(default_factory=dict)
    """GPU nodes by owner of the driver; an owner that is not listed has the defaults."""
    makes_nodes: bool = True
    """Whether nodes are created from instance types; otherwise Node Feature Discovery labels and
    taints the existing machines."""
    needs_device_plugin: str | None = None
    """Why its nodes of NVIDIA GPUs cannot do without a device plugin; None where they can."""
    brings_metrics_server: bool = False
    """Whether every cluster has a metrics-server from the start."""
    bounds_critical_pods: bool = False
    """Whether pods of system-critical priority run only where a ResourceQuota allows them."""
    runs_api_server: str | None = None
    """The company that runs the API server and sets its flags; None where users do."""
    gpu_conditions: tuple[HealthCondition, ...] = ()
    """Conditions that stand for broken hardware alone; a provider's agent that sets them may be
    off."""
    takes_rdma_plugin: bool = True
    """Whether pods reach RDMA by a device plugin of the cluster's own."""
    pod_interfaces: Callable[[Cluster, NodeHardware], Mapping[str, str] | str] | None = None
    """Returns the annotations by which a pod gets its interfaces in the networks between nodes, or
    why it gets none; None where it gets them otherwise."""
    node_labels: tuple[str, ...] = ()
    """Labels that only its nodes have."""
    fixed_labels: Mapping[str, Mapping[str, LabelValues]] = field(default_factory=dict)
    """Labels that it sets on nodes of a pool and never changes, by what makes the nodes, or `any`.
    A value in braces is a name of `label_values`; an empty one is a node without the label."""
    passing_labels: Mapping[str, Mapping[str, LabelValues]] = field(default_factory=dict)
    """Those of which it changes the value, likewise with what they are at first."""
    gpu_labels: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The name and the MiB of a GPU that labels have, by its model."""
    foreign_labels: tuple[str, ...] = ()
    """Those of other providers, which its nodes lack."""
    label_values: Callable[[Cluster, str, Pool, NodeHardware], LabelNames] | None = None
    """Returns what labels follow from besides what all providers have, of a pool by its name."""
    node_kind: str | None = None
    """A kind whose objects are all for nodes of this provider."""
    provider_id_scheme: str | None = None
    """Scheme of `spec.providerID` of its nodes
    (https://kubernetes.io/docs/reference/kubernetes-api/)."""
    internal_service: Mapping[str, str] = field(default_factory=dict)
    """Annotations of a Service by which its load balancer is in the cluster's network alone."""
    public_service: Mapping[str, str] = field(default_factory=dict)
    """Those by which it has an address of the internet."""
    idle_seconds: int | None = None
    """After how long its load balancers drop a connection without data; None where they do not, or
    where that is not known."""
    webhook_differences: tuple[str, ...] = ()
    """What the provider adds to webhook configurations, as jq paths for Argo CD to ignore."""

    def host(self, owner: DriverOwner) -> GpuHost:
        return self.hosts.get(owner, GpuHost())

    def topology_levels(self, hardware: NodeHardware) -> tuple[str, ...]:
        """Return the topology labels of nodes with such hardware, the outermost first."""
        levels = hardware.machine.topology_levels if hardware.machine else 0
        return self.topology_labels[:levels]


def enforcing_engines(
    signs: Mapping[NetworkPolicyEngine, Iterable[EngineSign]],
    read: Callable[[EngineSign], FoundObject | None],
) -> tuple[NetworkPolicyEngine, ...]:
    """Return the engines that a cluster shows any sign of.

    `signs` are those of its provider; `read` returns the object that a sign names, or None where
    the cluster has none.
    """

    def is_shown(sign: EngineSign) -> bool:
        found = read(sign)
        return found is not None and sign.shows(found)

    return tuple(engine for engine, its_signs in signs.items() if any(map(is_shown, its_signs)))
