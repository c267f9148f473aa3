"""Node pools: the hardware, how it is bought and what it costs, and how its GPUs are shared."""

import re
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from charts_py.cluster_file.quantity import HardwareMemory
from charts_py.cluster_file.strict_model import (
    MAX_CPUS_PER_NODE,
    MAX_EXCHANGE_RATE,
    MAX_GPUS_PER_NODE,
    MAX_INTERFACES_PER_NODE,
    MAX_KILOWATTS,
    MAX_NODES,
    MAX_PODS_PER_NODE,
    MAX_PRICE,
    Refused,
    StrictModel,
    Unique,
    added_later,
)
from charts_py.cluster_file.text_forms import LabelKey, ResourceName
from gpus.allocator import Allocator
from gpus.instance_type import Interconnect
from gpus.platform_names import LABEL_VALUE, MAX_LABEL_VALUE
from gpus.purchase import LIST_CURRENCY, Purchase

NetworkVariable: TypeAlias = Annotated[
    str, Field(pattern=r"^(NCCL|UCX|FI|OFI_NCCL|NVSHMEM|SHARP)_[A-Z0-9_]+$")
]
"""A variable of NCCL, or of what it reaches the network by."""
NetworkValue: TypeAlias = Annotated[str, Field(pattern=r"^\S([^\n]*\S)?$", examples=["mlx5"])]
Amount: TypeAlias = Annotated[float, Field(ge=0, le=MAX_PRICE)]
Part: TypeAlias = Annotated[float, Field(ge=0, le=1)]


class OwnedMachine(StrictModel):
    """What a machine costs that is bought rather than rented."""

    capex: Amount
    """What it costs to buy one node, its part of switches, racks and cables included."""
    years: float = Field(ge=1, le=20, examples=[4])
    """Over how many years it is written off."""
    residual: Part = 0
    """What it is worth then, as a part of `capex`."""
    opex: Amount = 0
    """What one node costs a year besides electricity: space, support, staff."""
    kilowatts: float = Field(default=0, ge=0, le=MAX_KILOWATTS, examples=[10.2])
    """Electric power that one node draws on average, cooling left out; needs `cost.electricity`."""


class Electricity(StrictModel):
    """What the power of machines costs."""

    kilowatt_hour: Amount
    """Price of a kilowatt-hour."""
    pue: float = Field(ge=1, le=5, examples=[1.3])
    """Power usage effectiveness: what the data centre draws, cooling included, over what its
    machines do."""


class Cost(StrictModel):
    """What nodes cost (docs/cost.md)."""

    currency: str = Field(default=LIST_CURRENCY, pattern="^[A-Z]{3}$", examples=["EUR"])
    """Currency of every amount in the file (ISO 4217)."""
    usd_rate: float | None = Field(default=None, gt=0, le=MAX_EXCHANGE_RATE, examples=[0.92])
    """What one US dollar is in `currency`. Listed prices are in US dollars; with another currency
    and no rate, none of them is used."""
    discounts: dict[Purchase, Part] = Field(default_factory=dict, examples=[{"reserved": 0.4}])
    """What is taken off listed prices, by purchase, as a part of them: `0.4` for 40 %. With one for
    `spot`, `flex-start` or `capacity-block`, whose prices are not listed, that on demand stands for
    theirs."""
    prices: dict[str, dict[Purchase, Amount]] = Field(
        default_factory=dict, examples=[{"p5.48xlarge": {"reserved": 31.5}}]
    )
    """Your own prices of a node-hour, by instance type and purchase, in place of listed ones."""
    electricity: Electricity | None = None
    """What the power of `owned` machines costs."""


class Topology(StrictModel):
    """Queues place the pods of a job near each other; `{}` uses the provider's labels."""

    levels: Annotated[tuple[LabelKey, ...], Unique()] = Field(
        default=(), examples=[["example.com/block", "example.com/rack"]]
    )
    """Labels of the nodes that say where they stand, the outermost first, such as block and rack;
    the node itself is always the last level. Empty takes those that the provider labels nodes of
    the instance type with (docs/queues.md)."""


_COUNT = "(?:0|[1-9][0-9]{0,2}|1000)"
_LITERAL = r"x[0-9A-Fa-f]{2}|[ -/:-@\[-`{-~]"
_NAMED = "alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit"
_SHARED = re.compile(
    rf"""
    \\(?:[AbBdDsSwWafnrtv]|{_LITERAL})
    | \[\^?+\]?+(?:[^\]\\\[]|\[(?!:)|\[:\^?(?:{_NAMED}):\]|\\(?:[dDsSwWafnrtv]|{_LITERAL}))*\]
    | \((?:\?(?::|P<[A-Za-z0-9_]+>|(?:[ims]+(?:-[ims]+)?|-[ims]+):|[ims]+\))|(?!\?))
    | (?:[*+?]|\{{{_COUNT}(?:,(?:{_COUNT})?)?\}})\??(?!\+)
    | \{{(?!(?:[0-9]+,?|,)[0-9]*\}})
    | [^\\\[({{*+?]
    """,
    re.VERBOSE | re.DOTALL,
)
"""A piece that Python and RE2 both have: an escape, a class of characters, the start of a group, a
repetition, a brace that is none, or a character."""


def _expression(text: str) -> str:
    example = "one such as ^train-[0-9]+$"
    try:
        re.compile(text)
    except re.error as error:
        raise Refused(f'"{text}" is not a valid regular expression: {error}', example) from None
    end = 0
    while piece := _SHARED.match(text, end):
        end = piece.end()
    if end < len(text):
        what = f'"{text}" is not a regular expression of RE2 from position {end} on'
        lacking = "lookaround, back-references, atomic groups, possessive repetitions or \\Z"
        raise Refused(what, f"{example}, without {lacking}")
    return text


RegularExpression = Annotated[str, AfterValidator(_expression), Field(examples=["^train-[0-9]+$"])]


def _no_wildcard(text: Any) -> Any:
    """Refuse `gpu-*`, which as a regular expression has any number of hyphens after `gpu`."""
    if isinstance(text, str) and re.search(r"(^|[A-Za-z0-9-])\*", text):
        close = re.sub(r"(?<![.\])])\*", ".*", text).strip("^$")
        what = f'"{text}" is a wildcard, as of names of files'
        raise Refused(what, "a regular expression such as ^train-[0-9]+$", (f"^{close}$",))
    return text


HostnamePattern = Annotated[RegularExpression, BeforeValidator(_no_wildcard)]
PODS_PER_NODE = 110
"""The kubelet's default of `maxPods`
(https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/)."""


class Purpose(StrEnum):
    """What a pool, or a team's namespace, is for."""

    TRAINING = "training"
    INFERENCE = "inference"
    BATCH = "batch"
    NOTEBOOKS = "notebooks"


class NodeRange(StrictModel):
    """How many nodes a pool has."""

    min: int = Field(default=0, ge=0, le=MAX_NODES)
    """Minimum number of nodes; 0 lets the pool scale to zero."""
    max: int = Field(ge=1, le=MAX_NODES)
    """Maximum number of nodes. Quotas are checked against it."""
    warm: int = Field(default=0, ge=0, le=MAX_NODES)
    """Idle nodes kept beside those in use, up to `max`, since a new GPU node takes minutes to start
    (docs/priorities.md)."""
    spare: Annotated[int, Field(ge=0, le=MAX_NODES)] = added_later(0)
    """Nodes that are in no quota, so that a job of whole nodes that loses one starts again at once.
    They run and cost: a cloud needs `min` and `max` alike for that or, with Karpenter, as many
    `warm` nodes (docs/queues.md)."""
    queued: bool = False
    """Whether nodes start only for a job that `queues` have let pass, all of them at once and as
    soon as there are as many. On GKE with Config Connector, with the purchase `flex-start` or
    `on-demand`; `min` and `warm` are 0 then."""

    @property
    def kept(self) -> int:
        """The nodes that run even when all are idle: warm ones are among those of the minimum."""
        return max(self.min, self.warm)


def _one_layout(layouts: Any) -> Any:
    """Refuse layouts by GPU, as mig-parted has them.

    Which GPU a pod gets follows from what is free, and no quota could say it.
    """
    if isinstance(layouts, list):
        what = "a list; all GPUs of a pool are cut alike"
        choices = "one layout, which may mix profiles such as {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}"
        raise Refused(what, f"{choices}, or a pool of other machines for each layout")
    return layouts


class SharingSpec(StrictModel):
    """How each GPU of a pool is shared; by default a pod gets whole GPUs."""

    mig: Annotated[
        dict[str, Annotated[int, Field(ge=1, le=MAX_PODS_PER_NODE)]], BeforeValidator(_one_layout)
    ] = Field(default_factory=dict, examples=[{"1g.10gb": 7}])
    """MIG layout of one GPU: the count of each profile, such as `{1g.10gb: 7}`."""
    time_slicing: int | None = Field(default=None, ge=2, le=MAX_PODS_PER_NODE)
    """Pods that take turns on each GPU, or on each MIG instance."""
    mps: int | None = Field(default=None, ge=2, le=MAX_PODS_PER_NODE)
    """Processes that share each GPU through NVIDIA MPS. Not beside MIG instances that go by their
    own names: the GPU operator's device plugin does not start with both. Not on GKE, where its pods
    need `hostIPC`. MPS serves one user ID at a time: pods on the same GPU run as the same
    `runAsUser`, or wait for each other."""


class NodeMatch(StrictModel):
    """Which machines of an on-prem cluster belong to a pool."""

    hostnames: Annotated[tuple[HostnamePattern, ...], Unique()] = ()
    """Regular expressions (RE2) for node names; when empty, every node that has the pool's GPU."""


class GpuTaint(StrEnum):
    """Whether nodes have the taint of their GPUs."""

    GPU = "gpu"
    NONE = "none"


class TaintEffect(StrEnum):
    """What a taint does to pods that do not tolerate it."""

    NO_SCHEDULE = "NoSchedule"
    PREFER_NO_SCHEDULE = "PreferNoSchedule"
    NO_EXECUTE = "NoExecute"


NodeValue = Annotated[
    str, Field(pattern=f"^{LABEL_VALUE}$", max_length=MAX_LABEL_VALUE, examples=["llm"])
]


class PoolTaint(StrictModel):
    """A taint on the nodes of a pool, such as `dedicated=llm:NoSchedule`."""

    key: Annotated[LabelKey, Field(examples=["dedicated"])]
    """Its key."""
    value: NodeValue = ""
    """Its value."""
    effect: TaintEffect = TaintEffect.NO_SCHEDULE
    """What it does to pods that do not tolerate it."""


class Numa(StrEnum):
    """How kubelets keep what they give to a container on one NUMA node of the machine."""

    BEST_EFFORT = "best-effort"


_REFUSING = ("restricted", "single-numa-node")
"""The other policies of the topology manager
(https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/)."""


def _refuses_no_pod(policy: Any) -> Any:
    """Refuse the policies by which kubelets turn away pods that a scheduler has placed there.

    It counts what a whole node has left, so that the same node can be chosen again for the next
    pod. By `single-numa-node` a pod with all GPUs of a machine with two NUMA nodes never starts; by
    `restricted` none does whose CPUs fit into fewer of them than its GPUs.
    """
    if policy in _REFUSING:
        why = "kubelets fail pods by it that are placed already: no scheduler here sees NUMA nodes"
        raise Refused(f'"{policy}"; {why}', f"{Numa.BEST_EFFORT}, by which they start all the same")
    return policy


class PoolAlerts(StrictModel):
    """When to alert on the GPUs of a pool, where that differs from pool to pool."""

    temperature_margin: int = Field(default=5, ge=0, le=50)
    """Degrees Celsius that an NVIDIA GPU has left until it slows down, at which to alert."""
    idle_minutes: int = Field(default=60, ge=10, le=10_080)
    """How long a pod may hold a GPU of NVIDIA or AMD and not use it."""


class Pool(StrictModel):
    """A group of nodes with the same GPUs."""

    instance_type: str | None = None
    """Cloud instance type, such as `p5.48xlarge`, that is listed or that `hardware` describes;
    required on clouds. GPUs, CPU, memory and network follow from it."""
    instance_types: Annotated[tuple[str, ...], Unique()] = added_later(())
    """Instance types that nodes may be of as well as `instanceType`, with the same GPUs, and with
    as many CPUs and as much memory or more: it stands for all. For Karpenter, eksctl and classes of
    GKE."""
    gpu: str | None = None
    """GPU model, such as `H200-SXM`, that is listed or that `hardware` describes; for on-prem, or
    with an instance type that is neither."""
    gpus: int | None = Field(default=None, ge=1, le=MAX_GPUS_PER_NODE)
    """GPUs per node; set together with `gpu`."""
    cpu: int | None = Field(default=None, ge=1, le=MAX_CPUS_PER_NODE)
    """CPUs per node; set together with `gpu`."""
    memory: HardwareMemory | None = None
    """Memory per node; set together with `gpu`."""
    purpose: Purpose
    """What the pool is for; a label on its nodes."""
    nodes: NodeRange
    """How many nodes there are."""
    purchase: Purchase = Purchase.ON_DEMAND
    """`spot` nodes carry a taint of their own, which only pods that opt in tolerate. Those of a
    `capacity-block`, which is EC2's for some days or weeks, are drained 40 minutes before the block
    ends. `flex-start`, GKE's, starts nodes once there is room, for seven days at most: of a
    ComputeClass, or with `nodes.queued`."""
    on_demand_fallback: bool = added_later(False)  # the default
    """Whether nodes are bought on demand where there is no capacity by `purchase`, `spot` or
    `reserved`; they keep its label and its taint. For Karpenter and classes of GKE."""
    reservation: str | None = None
    """Capacity reservation that `reserved` nodes, or those of a `capacity-block`, are taken from
    (EKS: `cr-...`; GKE: its name; AKS: its group's name). Required where Karpenter creates the
    nodes."""
    sharing: SharingSpec = SharingSpec()
    """How each GPU is shared. On GKE and AKS, every part of a GPU is offered as a GPU of its own,
    `nvidia.com/gpu`; the node label `gpuplane.io/pool` tells pools apart."""
    allocator: Allocator = Allocator.DEVICE_PLUGIN
    """What gives the GPUs to pods. `dra`: the scheduler, by Dynamic Resource Allocation, to pods
    that ask for `nvidia.com/gpu` as well as to resource claims; for pools of whole NVIDIA GPUs of a
    fixed size, on Kubernetes 1.37 or later. No pod preempts another for GPUs of such a pool."""
    zones: Annotated[tuple[str, ...], Unique()] = ()
    """Zones of the nodes; empty leaves the choice to the provider."""
    interconnect: Interconnect | None = None
    """Network between the nodes; defaults to that of the instance type. With `infiniband` or
    `roce`, its driver and a device plugin that offers it to pods are yours to install."""
    rdma_resource: ResourceName | None = None
    """The extended resource that this device plugin offers, of which a pod asks for `rdmaCount`;
    without it, jobs that `training` starts talk over TCP. For pools with `infiniband`, or on-prem
    `roce`."""
    rdma_count: Annotated[int, Field(ge=1, le=MAX_INTERFACES_PER_NODE)] = added_later(1)
    """How many of it a pod asks for that talks to other nodes: 1 where a plugin shares all
    interfaces, such as 16 where it gives out each (OCI)."""
    network_environment: dict[NetworkVariable, NetworkValue] = Field(
        default_factory=dict,
        exclude_if=lambda value: not value,
        examples=[{"NCCL_IB_HCA": "mlx5", "NCCL_IB_GID_INDEX": "3"}],
    )
    """Further variables of pods that use the network between nodes, over those that follow from it:
    such as `NCCL_IB_HCA`, where not every adapter is for GPUs, or `NCCL_IB_GID_INDEX` on RoCE."""
    topology: Topology | None = None
    """Where the nodes stand, by which `queues` place the pods of a job near each other; `{}` uses
    the provider's labels. The nodes that the pool has at most are then all kept running."""
    max_pods: int | None = Field(default=None, ge=8, le=MAX_PODS_PER_NODE)
    """Maximum number of pods on a node; defaults to 110, or to those that the instance type has
    addresses for where they are fewer (EKS without `prefixDelegation`). Each shared allocation is a
    pod: 8 GPUs x 28 need 250."""
    numa: Annotated[Numa, BeforeValidator(_refuses_no_pod)] | None = added_later(None)
    """`best-effort` has kubelets take the GPUs of a container from one NUMA node where they can,
    and with them the CPUs of one whose pod states its CPUs whole and all requests as its limits,
    which then has them for itself (docs/allocators.md). On machines of your own, their kubelets
    are yours to set so. Not on GKE, nor with `dra`."""
    taint: GpuTaint = added_later(GpuTaint.GPU)
    """`none` leaves out the taint of GPUs, such as `nvidia.com/gpu=present:NoSchedule`: pods
    without GPUs then start on the nodes, and take up CPUs and memory that GPU pods need. For a
    single machine that runs everything. GKE sets that taint itself."""
    taints: tuple[PoolTaint, ...] = added_later(())
    """Further taints of the nodes. Admission has GPU pods tolerate them, and agents that run on
    every node do. One with the key and effect of the taint of GPUs takes its place."""
    labels: dict[LabelKey, NodeValue] = Field(
        default_factory=dict, exclude_if=lambda value: not value, examples=[{"sku": "gpu"}]
    )
    """Further labels of the nodes, which pods can select."""
    alerts: PoolAlerts = PoolAlerts()
    """When to alert on its GPUs, where `addons.monitoring.gpuCounters` has the counters."""
    match: NodeMatch = NodeMatch()
    """On-prem only: the machines of the pool."""
    price: Amount | None = None
    """What one node costs an hour, in `cost.currency`, in place of every other price; without it,
    that of its instance type and purchase (docs/cost.md)."""
    owned: OwnedMachine | None = None
    """On-prem only: what one machine costs, from which the price of an hour follows."""
