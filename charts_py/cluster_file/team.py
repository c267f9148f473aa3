"""Teams: their namespaces, members, cost centers and shares of the hardware."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import Field

from charts_py.cluster_file.jupyterhub import JupyterHub
from charts_py.cluster_file.policies import StatedRule
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.quantity import CpuQuantity, PositiveQuantity, Quantity
from charts_py.cluster_file.queues import QueueStrategy
from charts_py.cluster_file.strict_model import (
    MAX_ALLOCATIONS,
    MAX_BUDGET,
    MAX_SHARE,
    StrictModel,
    Unique,
    added_later,
)
from charts_py.cluster_file.text_forms import (
    Destination,
    Group,
    LabelValue,
    MailAddress,
    NamespaceName,
)
from policies.rule_name import Mode
from policies.settings import PodSecurity


class IdlePods(StrEnum):
    """What becomes of pods that hold GPUs and have not used them."""

    KEEP = "keep"
    END = "end"


Allocations: TypeAlias = Annotated[int, Field(ge=0, le=MAX_ALLOCATIONS)]
Groups: TypeAlias = Annotated[tuple[Group, ...], Unique()]


class Members(StrictModel):
    """Groups of the identity provider, by what they may do in the team's namespaces."""

    users: Groups = ()
    """Run GPU workloads: role `gpu-user`."""
    viewers: Groups = ()
    """Read them: role `gpu-viewer`."""
    admins: Groups = ()
    """Also manage the namespace's configuration, secrets and claims: role `gpu-admin`."""

    @property
    def groups(self) -> tuple[str, ...]:
        return (*self.users, *self.viewers, *self.admins)


class Quota(StrictModel):
    """The maximum that one namespace may request."""

    gpus: dict[str, Allocations] = Field(min_length=1, examples=[{"h100": 8}])
    """Allocations by pool: the pools that its GPU pods run on, except those with 0, and how much of
    each. One is a whole GPU, a MIG instance or a share of either, as the pool offers it. Kubernetes
    counts by resource, so that pools which offer the same one are bounded by their sum."""
    borrow: dict[str, Allocations] = Field(default_factory=dict, examples=[{"h100": 16}])
    """Most that it may borrow, of pools in `gpus`, of what others do not use; needs `queues`. By
    default all of it."""
    lend: dict[str, Allocations] = Field(default_factory=dict, examples=[{"h100": 4}])
    """Most that others may borrow of it, likewise; by default all of it."""
    cpu: CpuQuantity
    """CPUs, such as `1.5`, or thousandths of one, such as `1500m`."""
    memory: PositiveQuantity
    """Memory, such as `1.5Ti`."""
    storage: Quantity
    """Total size of the persistent volume claims."""
    ephemeral_storage: PositiveQuantity | None = None
    """Disks of nodes; unbounded by default. Where it is set, a container that states nothing
    requests 1Gi."""
    pods: Allocations | None = added_later(None)
    """Pods that have not ended, and claims of volumes; by default 100, and 2 for each of `gpus` and
    of what it may borrow."""
    objects: Allocations | None = added_later(None)
    """Objects of each kind that users make, as Secrets and Deployments; 4 times as many Services
    and revisions, 10 times as many Jobs and ended pods. By default 100, and one for every 8 of
    `gpus` and of what it may borrow."""
    load_balancers: int = Field(default=0, ge=0, le=MAX_ALLOCATIONS)
    """Services of type LoadBalancer. Each may cost an address and a machine in the cloud, and the
    network policies let nobody through it who is not let in by `ingress`."""
    node_ports: int = Field(default=0, ge=0, le=MAX_ALLOCATIONS)
    """Ports of nodes, which Services of type NodePort and LoadBalancer take, one for each of their
    own; stated wherever `loadBalancers` is. A Service with `allocateLoadBalancerNodePorts: false`
    takes none: with only such, as where the cloud's load balancers reach pods themselves, it is
    0."""
    resource_claims: int | None = Field(default=None, ge=0, le=MAX_ALLOCATIONS)
    """DRA claims; needs Kubernetes 1.34, where none are allowed unless this is set. Those that the
    scheduler makes for pods on a pool with `allocator: dra` come on top."""

    @property
    def pools(self) -> tuple[str, ...]:
        """The pools that it has GPUs of."""
        return tuple(name for name, count in self.gpus.items() if count)


class Namespace(StrictModel):
    """One namespace of a team."""

    purpose: Purpose
    """What runs here; decides the default priority and the network policies."""
    quota: Quota
    """The maximum that it may request."""
    pod_security: PodSecurity = PodSecurity.RESTRICTED
    """Pod Security Standards level that is enforced."""
    egress: Annotated[tuple[Destination, ...], Unique()] = ()
    """CIDRs outside the cluster that pods may reach over TLS, such as an object store's
    (docs/object-storage.md). `private.googleapis.com` and `restricted.googleapis.com` stand for
    their fixed addresses, on GKE, and on-prem where routes lead there."""
    ingress: Annotated[tuple[NamespaceName, ...], Unique()] = ()
    """Namespaces whose pods may reach the pods here, such as a gateway's or a Ray operator's."""
    api_server: bool = False
    """Whether pods may reach the API server, as Ray's autoscaler and routers that watch pods do;
    needs `network.apiServer`."""
    queue_strategy: QueueStrategy | None = added_later(None)
    """What becomes of the jobs here that wait behind one for which there is no room; by default
    as `queues.strategy` says."""
    spot: bool = False
    """Whether GPU pods here may run on spot nodes; otherwise each pod must opt in."""
    idle_pods: IdlePods = IdlePods.KEEP
    """What becomes of workloads that hold GPUs and have used none of them for longer than
    `pools.NAME.alerts.idleMinutes`: `keep`, or `end` as `addons.idleGpus` says, which this needs. A
    Deployment is scaled to 0, a Notebook is stopped, and other pods are evicted."""
    jupyter_hub: JupyterHub | None = added_later(None)
    """A JupyterHub here; only with the purpose `notebooks`, and needs `network.apiServer`."""
    rules: dict[StatedRule, Mode] = Field(default_factory=dict)
    """Modes of rules that differ here from the cluster's."""


class Team(StrictModel):
    """The people who share a budget."""

    owner: MailAddress
    """Email address of the person or group responsible for the team."""
    cost_center: LabelValue
    """Who the GPUs are billed to; a label value."""
    project: LabelValue | None = None
    """Project within the cost center; a label value. Defaults to the team's name."""
    budget: float | None = Field(default=None, gt=0, le=MAX_BUDGET, examples=[50000])
    """What the GPUs that its pods hold on this cluster may cost a month, in `cost.currency`; a team
    of several clusters has one on each. Nothing is refused beyond it: `gpuplane cost` and an alert
    report it (docs/cost.md)."""
    members: Members
    """Who may do what."""
    priorities: Annotated[tuple[str, ...], Unique()] = Field(
        min_length=1, examples=[["training", "batch"]]
    )
    """Priority classes that the team may use; `system` is the platform's own. Pods with any other
    are refused: where the cluster has a default class, it must be among them."""
    share: int = Field(default=1, ge=1, le=MAX_SHARE)
    """Its weight where several teams would borrow the same allocations; needs `queues`."""
    namespaces: dict[str, Namespace] = Field(min_length=1)
    """Its namespaces by name."""
