"""What the rules must know of a cluster: its pools, its namespaces and the modes of the rules."""

import datetime as dt
from collections.abc import Container, Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from gpus.allocator import DEVICE_CLASS_PREFIX
from gpus.model import HOST_ARCHITECTURE
from gpus.platform_names import LABEL_PREFIX
from gpus.sharing import SharingKind
from gpus.taint import Taint
from policies.container import HUGE_PAGES
from policies.custom_rule import CustomRule
from policies.document import Json, text
from policies.rule_name import Mode

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Fraction: TypeAlias = Annotated[float, Meta(gt=0, le=1)]
GPU_RUNTIME_CLASSES = ("nvidia", "nvidia-cdi", "nvidia-legacy")
"""Runtime classes that the GPU operator makes, where nothing else names the first.
Source: `assets/pre-requisites` in https://github.com/NVIDIA/gpu-operator/tree/v26.7.0
and https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/cdi.html"""
EPHEMERAL_STORAGE = "ephemeral-storage"
EFA_RESOURCE = "vpc.amazonaws.com/efa"
"""The extended resource that the EFA device plugin advertises."""
UNCOUNTED_ANYWHERE = (
    "cpu",
    "memory",
    EPHEMERAL_STORAGE,
    HUGE_PAGES,
    EFA_RESOURCE,
    "vpc.amazonaws.com/pod-eni",
)
"""Resources that queues never count, whether nodes have them or not. The last is added to pods by
EKS itself, after Kueue has let their job start (`HandleLinuxPod` in
https://github.com/aws/amazon-vpc-resource-controller-k8s, webhooks/core/pod_webhook.go)."""
MAX_GRACE_PERIOD_SECONDS = 3600
"""An hour: more than a checkpoint of a large model takes to be written."""


class _Part(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of the settings, in JSON in camel case."""


class UnequalGpus(StrEnum):
    """What happens to a container whose GPU request and limit differ."""

    REFUSE = "refuse"
    USE_LIMITS = "use-limits"
    """The request is set to the limit."""


_CERTAIN = (f"{LABEL_PREFIX}/", HOST_ARCHITECTURE)
"""Prefixes of labels that the platform sets and nobody else does, and the architecture, which
earlier releases wrote among them."""

_GPU_NODES = (f"{LABEL_PREFIX}/", "nvidia.com/")
_GPU_NODE = "cloud.google.com/gke-accelerator"


def is_of_gpu_nodes(label: str) -> bool:
    """Whether only nodes with GPUs carry the label, unlike that of their architecture."""
    return label.startswith(_GPU_NODES) or label == _GPU_NODE


class OfferedResource(_Part, frozen=True):
    """A resource that pods can ask every node of a pool for."""

    name: str
    per_node: Count
    """Allocations of it on one node."""
    sharing: SharingKind = SharingKind.NONE
    mig_profile: str | None = None
    """The MIG instance that one allocation is; None for a whole GPU."""
    same_as: str | None = None
    """The resource that this is another name of: its allocations are the same ones."""


class PoolSettings(_Part, frozen=True, dict=True):
    """A pool of identical nodes."""

    name: str
    vendor: str
    """Maker of its GPUs, such as `nvidia`."""
    resources: tuple[OfferedResource, ...]
    cpu: Count
    """CPUs of one node."""
    memory: Count
    """The most memory of one node that pods can have, in bytes."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that the platform and its tools set on its nodes."""
    taints: tuple[Taint, ...] = ()
    """Taints on its nodes."""
    fixed_labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """As in `gpus.pool_facts.PoolFacts`. In place of a value there may be words with a space in
    between, for values that cannot be listed."""
    pool_labels: tuple[str, ...] = ()
    """Those of `fixed_labels` that nodes without GPUs can have, with other values."""
    kept_millicpu: Count = 0
    """Thousandths of a CPU that no pod can have of one node."""
    daemons: Mapping[str, str] = field(default_factory=dict)
    """What the platform's daemons request on each node, which is left out of `memory` and of CPUs
    as well."""
    disk: Count | None = None
    """The most bytes of the disks of one node that pods can have; None where it is not known."""
    others: Mapping[str, Count | None] = field(default_factory=dict)
    """Resources beside GPUs that pods can ask every node for, and how many; None where the number
    is not known."""

    @cached_property
    def certain_labels(self) -> Mapping[str, tuple[str, ...]]:
        """The labels whose values nobody changes on a node, with those that it can have."""
        own = {key: (value,) for key, value in self.labels.items() if key.startswith(_CERTAIN)}
        return {**own, **self.fixed_labels}

    @cached_property
    def passing_labels(self) -> Mapping[str, tuple[str, ...]]:
        """The other labels: people and NVIDIA's tools change them, or take them away for a while.

        `pausedStr` in
        https://github.com/NVIDIA/k8s-driver-manager/blob/main/cmd/driver-manager/main.go
        """
        certain = self.certain_labels
        every = {key: (value,) for key, value in self.labels.items()}
        return {key: value for key, value in every.items() if certain.get(key) != value}

    @cached_property
    def gpu_node_labels(self) -> tuple[tuple[str, str], ...]:
        """The labels with values that no node without a GPU has."""
        every = {**self.certain_labels, **self.passing_labels}
        return tuple(
            (key, value)
            for key, values in every.items()
            for value in values
            if value and (key in self.pool_labels or is_of_gpu_nodes(key))
        )

    @cached_property
    def millicpu(self) -> int:
        """The most thousandths of a CPU that pods can have of one node."""
        return max(self.cpu * 1000 - self.kept_millicpu, 0)

    @cached_property
    def gives_to_claims(self) -> bool:
        """Whether a DRA driver gives out its GPUs, so that claims can be for them."""
        return any(each.name.startswith(DEVICE_CLASS_PREFIX) for each in self.resources)

    @cached_property
    def allocations(self) -> int:
        """Allocations of all its resources on one node."""
        return sum(each.per_node for each in self.resources if each.same_as is None)


def offered_by(pools: Iterable[PoolSettings]) -> tuple[str, ...]:
    return tuple(sorted({resource.name for pool in pools for resource in pool.resources}))


def are_shared_by(ways: Container[SharingKind], pools: Iterable[PoolSettings]) -> bool:
    return any(resource.sharing in ways for pool in pools for resource in pool.resources)


class PodSecurity(StrEnum):
    """Pod Security Standards level (https://kubernetes.io/docs/concepts/security/pod-security-standards/)."""

    RESTRICTED = "restricted"
    BASELINE = "baseline"
    PRIVILEGED = "privileged"


class EnforcedSecurity(_Part, frozen=True):
    """Which pods the API server takes in a namespace, as the namespace's labels say."""

    level: PodSecurity
    minor: Count
    """The minor of Kubernetes whose version of the level is meant: 36 for 1.36."""


class NamespaceSettings(_Part, frozen=True, dict=True):
    """A team's namespace."""

    team: str
    purpose: str
    """`training`, `inference`, `batch` or `notebooks`."""
    default_priority: str | None = None
    """Priority class of GPU pods that name none; None leaves them as they are."""
    priorities: tuple[str, ...] = ()
    """Priority classes that GPU pods may name; empty allows all."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Labels that every GPU pod carries, such as cost centre, project and owner."""
    spot: bool = False
    """Whether every GPU pod tolerates spot nodes; otherwise each pod opts in itself."""
    pools: tuple[str, ...] | None = None
    """Pools that GPU pods may run on, by name; None allows all."""
    modes: Mapping[str, Mode] = field(default_factory=dict)
    """Modes of rules that differ from the cluster's."""
    pod_security: EnforcedSecurity | None = None
    """None where it is not known."""

    @cached_property
    def granted(self) -> frozenset[str]:
        """The pools that GPU pods may run on; empty where that is all or none."""
        return frozenset(self.pools or ())


class SharedMemorySettings(_Part, frozen=True):
    """How `/dev/shm` is sized; sizes in bytes."""

    fraction: Fraction = 0.5
    """Share of the memory limit of a container with a GPU."""
    floor: Count = 64 * 2**20
    cap: Count = 64 * 2**30
    default: Count = 2**30
    """Size without a memory limit."""


class NodeNameSettings(_Part, frozen=True):
    """Who may create pods that name their node."""

    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class QueueScheduler(_Part, frozen=True, dict=True):
    """The scheduler of GPU pods, which has a queue for each namespace of a team, of its name."""

    name: str
    queue_annotation: str | None = None
    """Annotation in which a pod may name its queue; by default it is that of its namespace."""
    queue_label: str | None = None
    """Label in which a pod names its queue; one without gets that of its namespace."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Further labels that pods get which lack them."""

    @cached_property
    def queue_keys(self) -> tuple[tuple[str, str], ...]:
        """Where a pod may name its queue: the field of its metadata, and the key."""
        stated = (("annotations", self.queue_annotation), ("labels", self.queue_label))
        return tuple((member, key) for member, key in stated if key is not None)

    def labels_in(self, namespace: str) -> Mapping[str, str]:
        queue = {} if self.queue_label is None else {self.queue_label: namespace}
        return {**queue, **self.labels}


class JobKind(_Part, frozen=True):
    """A kind of jobs."""

    group: str
    """Empty for the core group."""
    kind: str


def kind_of(document: Mapping[str, Json]) -> JobKind:
    return JobKind(text(document.get("apiVersion")).rpartition("/")[0], text(document.get("kind")))


class QueuePriority(_Part, frozen=True):
    """How queues know who comes first."""

    field: tuple[str, ...]
    """Where a job names its priority class, from its root."""
    jobs: tuple[JobKind, ...]
    """Kinds that wait as a whole, before admission gives their pods a class."""
    others: tuple[JobKind, ...] = ()
    """Kinds that can name a class there, too, and whose pods wait one by one, with a class."""
    reads_templates: bool = False
    """Whether a job that names none there has the class that it names for its pods."""


class RuleException(_Part, frozen=True):
    """A rule that only reports in a namespace for a while."""

    rule: str
    namespace: str
    reason: str
    owner: str
    """Email address of the person who asked for it."""
    expires: dt.date
    """Last day on which it applies."""


class Settings(_Part, frozen=True, dict=True):
    """What the rules must know of a cluster."""

    cluster: str
    pools: tuple[PoolSettings, ...] = ()
    namespaces: Mapping[str, NamespaceSettings] = field(default_factory=dict)
    """Namespaces by name."""
    mode: Mode = Mode.ENFORCE
    """Mode of every rule that no other setting names."""
    modes: Mapping[str, Mode] = field(default_factory=dict)
    """Modes of single rules."""
    exceptions: tuple[RuleException, ...] = ()
    shared_memory: SharedMemorySettings = SharedMemorySettings()
    unequal_gpus: UnequalGpus = UnequalGpus.REFUSE
    registries: tuple[str, ...] = ()
    """Prefixes that images of GPU pods may come from; empty allows all."""
    runtime_class: str | None = None
    """Runtime class that GPU pods need; None where the default runtime serves them."""
    gpu_runtime_classes: tuple[str, ...] = GPU_RUNTIME_CLASSES
    """Runtime classes that can give a container GPUs which it did not ask for."""
    reserved_priority_classes: tuple[str, ...] = ()
    """Priority classes that only the platform and its provider may use."""
    node_names: NodeNameSettings = NodeNameSettings()
    queue_scheduler: QueueScheduler | None = None
    """The scheduler of GPU pods; None where it is that of Kubernetes."""
    max_grace_period_seconds: Count = MAX_GRACE_PERIOD_SECONDS
    """Most seconds that a GPU pod may take to end."""
    queue_priority: QueuePriority | None = None
    """How queues know who comes first; None without queues."""
    absent_labels: tuple[str, ...] = ()
    """Labels that no node of any pool has, since another provider sets them."""
    replaces_ended_only: bool = False
    """Whether a Job replaces a pod once that has ended, since queues count as many as it states."""
    schedulers: tuple[str, ...] = ()
    """Schedulers that the cluster runs besides that of Kubernetes and `queue_scheduler`."""
    uncounted: tuple[str, ...] | None = None
    """What the names of resources begin with that queues do not count, where they start no job that
    asks for one which they neither count nor leave out; otherwise None."""
    pod_security_user: Count | None = None
    """User who runs what states none, where GPU pods get what the level `restricted` demands; None
    where they do not."""
    exempt_namespaces: tuple[str, ...] = ()
    """Namespaces whose pods no rule looks at, besides `ALWAYS_EXEMPT`."""
    exempt_service_accounts: tuple[str, ...] = ()
    """Service accounts whose pods no rule looks at, as `namespace/name`."""
    own: tuple[CustomRule, ...] = ()
    """Custom rules, in the order in which they run, after all others. The settings of the webhook
    have none, since the API server evaluates them."""

    @cached_property
    def declared(self) -> tuple[str, ...]:
        """What the names of resources beside GPUs begin with that the cluster is known to have."""
        names = {name for pool in self.pools for name in pool.others}
        stated = (each for each in self.uncounted or () if each not in UNCOUNTED_ANYWHERE)
        return tuple(sorted(names.union(stated)))

    def mode_of(self, rule: str, namespace: str, today: dt.date) -> Mode:
        """Return the rule's mode in the namespace.

        An exception lowers it to `audit`, which shows what would happen once it expires.
        """
        mode = self.stated_mode_of(rule, namespace)
        if mode is not Mode.OFF and self._excepted(rule, namespace, today):
            return Mode.AUDIT
        return mode

    def stated_mode_of(self, rule: str, namespace: str) -> Mode:
        """Return the rule's mode in the namespace, whatever its exceptions."""
        mode = self.modes.get(rule, self.mode)
        known = self.namespaces.get(namespace)
        return mode if known is None else known.modes.get(rule, mode)

    def _excepted(self, rule: str, namespace: str, today: dt.date) -> bool:
        return any(
            exception.rule == rule
            and exception.namespace == namespace
            and today <= exception.expires
            for exception in self.exceptions
        )


ALWAYS_EXEMPT = frozenset({"kube-system", "kube-public", "kube-node-lease"})
"""Namespaces that a cluster cannot start without."""
