"""The cluster file as a whole, with its smallest parts."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from charts_py.cluster_file.addons import Addons
from charts_py.cluster_file.controllers import ControllerName, ControllerSize
from charts_py.cluster_file.gitops import Charts, GitOps, Registry
from charts_py.cluster_file.hardware import Driver, Hardware
from charts_py.cluster_file.kubernetes_version import (
    Feature,
    LiveVersion,
    Promotion,
    SemanticVersion,
    has,
)
from charts_py.cluster_file.policies import Admission, Policies, Webhook
from charts_py.cluster_file.pool import Cost, Pool
from charts_py.cluster_file.provider import AksSettings, EksSettings, GkeSettings
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.queues import (
    PLATFORM_PRIORITY,
    Borrowing,
    MultiKueue,
    Priority,
    Queues,
    Slurm,
    default_ladder,
)
from charts_py.cluster_file.serving import Serving
from charts_py.cluster_file.strict_model import Refused, StrictModel, Unique, added_later
from charts_py.cluster_file.team import Team
from charts_py.cluster_file.text_forms import Cidr, IpAddress, JsonPointer, ObjectName
from charts_py.cluster_file.training import Training
from gpus.provider import Provider
from upstream.kubernetes_version import KubernetesVersion

ConstructReference = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$", examples=["extra_charts:build"]
    ),
]
_ARGUMENTS: Mapping[str, str | None] = {
    "add": "value",
    "remove": None,
    "replace": "value",
    "move": "from",
    "copy": "from",
    "test": "value",
}
"""What each operation needs in addition to its path."""


class PatchOperation(StrictModel):
    """One operation of a JSON Patch (https://www.rfc-editor.org/rfc/rfc6902)."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    """What to do."""
    path: JsonPointer
    """JSON Pointer to the target."""
    value: Any = None
    """New or expected value, for `add`, `replace` and `test`."""
    from_: JsonPointer | None = Field(default=None, alias="from")
    """JSON Pointer to the source, for `move` and `copy`."""

    @model_validator(mode="after")
    def _has_what_its_operation_needs(self) -> "PatchOperation":
        needed = _ARGUMENTS[self.op]
        allowed = ", ".join(name for name in ("op", "path", needed) if name)
        given = {field.rstrip("_") for field in self.model_fields_set}
        if needed and needed not in given:
            raise Refused(f'"{self.op}" without "{needed}"', allowed)
        for name in sorted(given - {"op", "path", needed}):
            raise Refused(f'"{self.op}" with "{name}"', allowed)
        return self


class Patch(StrictModel):
    """A change to rendered objects; one that matches nothing is an error."""

    kind: str = Field(min_length=1, examples=["Deployment"])
    """Kind of the objects."""
    name: str = Field(min_length=1, examples=["gpuplane-webhook"])
    """Their name."""
    namespace: str | None = None
    """Their namespace; any by default."""
    operations: tuple[PatchOperation, ...] = Field(min_length=1)
    """Applied in order."""


class Extensions(StrictModel):
    """What a cluster adds to its rendered objects, or changes in them."""

    manifests: str | None = Field(default=None, pattern=r"^[^/]", examples=["training.manifests"])
    """Folder next to the cluster file whose YAML is rendered, validated and synced like the
    rest. A CustomResourceDefinition in it also brings the schema of its kinds."""
    patches: tuple[Patch, ...] = ()
    """Changes to rendered objects."""
    constructs: tuple[ConstructReference, ...] = ()
    """Functions as `module:function`, called with a cdk8s Chart and the Platform. Modules are
    imported from the folder of the cluster file."""


class FailOn(StrEnum):
    """The least verdict of `gpuplane plan` that makes it fail."""

    DEFERRED = "deferred"
    ROLLING = "rolling"
    DISRUPTIVE = "disruptive"
    IMMUTABLE = "immutable"
    DANGEROUS = "dangerous"
    NEVER = "never"


class PlanPolicy(StrictModel):
    """What `gpuplane plan` asks of a change."""

    fail_on: FailOn = FailOn.NEVER
    """From which verdict on `gpuplane plan` exits with 1, so that a check of a pull request fails:
    from the mildest, `deferred`, to `dangerous`, or `never`. `--fail-on` takes its place."""


class NetworkPolicyEngine(StrEnum):
    """What enforces NetworkPolicies in a cluster; the API server itself does not."""

    VPC_CNI = "vpc-cni"
    DATAPLANE_V2 = "dataplane-v2"
    AZURE = "azure"
    CALICO = "calico"
    CILIUM = "cilium"
    ANTREA = "antrea"
    KUBE_ROUTER = "kube-router"


class Network(StrictModel):
    """What the platform must know about the cluster's network."""

    policy_engine: NetworkPolicyEngine | None = None
    """What enforces NetworkPolicies: `vpc-cni` on EKS, `dataplane-v2` on GKE, `azure` on AKS,
    `antrea` or `kube-router` on-prem, `calico` and `cilium` on several. The platform installs
    none, and where it is not said, none is counted on: without one NetworkPolicies are accepted
    and ignored, so that the pods of all teams reach each other."""
    api_server: Annotated[tuple[Cidr, ...], Unique()] = ()
    """Addresses of the API server: that of the Service `kubernetes` in `default`, which `vpc-cni`
    judges, and those of its endpoints, which other engines do. Namespaces of teams with
    `apiServer` reach them. Cilium matches addresses of the cluster's nodes only with
    `policyCIDRMatchMode: nodes`."""
    dns_address: IpAddress | None = None
    """Address of the Service `kube-dns`, which pods of teams may then ask for names. Needed where
    Calico enforces NetworkPolicies and NodeLocal DNSCache answers at that address itself, in the
    network of its node: no selector of pods matches it."""


class Cluster(StrictModel):
    """One cluster, named after its file. What clusters share is in `fleet.yaml`."""

    provider: Provider
    """Where the cluster runs."""
    region: str = Field(min_length=1, examples=["us-east-1"])
    """Cloud region, or the data centre's name."""
    kubernetes: KubernetesVersion
    """Kubernetes minor version that objects are rendered for, quoted; it upgrades nothing."""
    version: SemanticVersion
    """Version that a synth renders. Without a pre-release suffix it is released: once it is on the
    main branch, its folder never changes again."""
    live: LiveVersion | None = None
    """Version that Argo CD syncs; defaults to `version`. Change this line to promote or to roll
    back. Where it says `none`, Argo CD syncs no version and keeps what runs: before the first one,
    and before the cluster is removed."""
    promotion: Promotion = Promotion()
    """When a version may go live."""
    gitops: GitOps
    """The repository that Argo CD follows, and the API server that it talks to."""
    eks: EksSettings | None = None
    """The EKS cluster; required on EKS."""
    gke: GkeSettings | None = None
    """The GKE cluster; required on GKE."""
    aks: AksSettings | None = None
    """The AKS cluster; required on AKS."""
    network: Network = Network()
    """The cluster's network."""
    image_pull_secrets: Annotated[tuple[ObjectName, ...], Unique()] = ()
    """Secrets of type `kubernetes.io/dockerconfigjson`, by which the pods of the platform pull from
    private registries. Somebody else puts them into each namespace where such pods run; a pod whose
    image needs none starts without them."""
    registries: dict[str, Registry] = Field(default_factory=dict)
    """Mirrors by the registry that they take the place of, such as `nvcr.io`: all images of the
    platform come from there, and where `policies.registries` allows images of such a registry, pods
    name the mirror (docs/air-gap.md)."""
    charts: Charts = Charts()
    """Where Argo CD gets Helm charts from."""
    driver: Driver = Driver()
    """Who installs the GPU driver."""
    hardware: Hardware = Hardware()
    """GPU models and instance types that `gpuplane hardware` does not list."""
    cost: Cost = Cost()
    """What nodes cost, for `gpuplane cost`."""
    pools: dict[str, Pool] = Field(min_length=1)
    """Node pools by name."""
    priorities: dict[str, Priority] = Field(default_factory=default_ladder, min_length=1)
    """Priority classes by name; by default a ladder from `batch` (100) through `inference`
    (1000000) to `system`."""
    teams: dict[str, Team] = Field(default_factory=dict)
    """Teams by name."""
    queues: Queues | None = None
    """Queues in which jobs wait for GPUs; without them, a pod beyond the quota is refused."""
    multi_kueue: MultiKueue | None = None
    """A cluster that takes jobs for several (docs/queues.md). It stands in `fleet.yaml`, and
    means nothing to a cluster that it does not name."""
    training: Training = Training()
    """Frameworks that run jobs of several nodes."""
    serving: Serving = added_later(Serving())
    """What serves models."""
    slurm: Slurm | None = None
    """A Slurm cluster on nodes of the pools."""
    policies: Policies = Policies()
    """What the admission policies do."""
    webhook: Webhook = Webhook()
    """The admission webhook that applies them."""
    addons: Addons = Addons()
    """Parts that are installed only where they are wanted."""
    controllers: dict[ControllerName, ControllerSize] = Field(
        default_factory=dict,
        exclude_if=lambda value: not value,
        examples=[{"kueue": {"memory": "4Gi", "replicas": 3}}],
    )
    """Memory, CPUs and replicas of controllers by name, where they differ from what follows from
    the size of the cluster (docs/reference/controllers.md)."""
    plan: PlanPolicy = PlanPolicy()
    """What `gpuplane plan` asks of a change; it belongs to no version."""
    extensions: Extensions = Extensions()
    """What this cluster adds to its rendered objects, or changes in them."""

    @property
    def pull_secret_names(self) -> tuple[str, ...]:
        """The secrets by which pods of the platform pull, from wherever their images are."""
        of_mirrors = (name for each in self.registries.values() for name in each.pull_secrets)
        return tuple(dict.fromkeys((*self.image_pull_secrets, *of_mirrors)))

    @property
    def platform_priority(self) -> str:
        """The class of the platform's own pods: its rung, or the highest of a ladder without it."""
        if PLATFORM_PRIORITY in self.priorities:
            return PLATFORM_PRIORITY
        return max(self.priorities, key=lambda name: self.priorities[name].value)

    @property
    def queue_engine(self) -> QueueEngine | None:
        """What decides which job has its GPUs next; None without queues."""
        return self.queues.engine if self.queues else None

    @property
    def borrowing(self) -> Borrowing:
        return self.queues.borrowing if self.queues else Borrowing.NONE

    def team_nodes(self, name: str, pool: Pool) -> int:
        """Return how many nodes of a pool quotas can have: not those of Slurm, nor spare ones."""
        return pool.nodes.max - pool.nodes.spare - self.slurm_nodes(name)

    def slurm_nodes(self, pool: str) -> int:
        """Return how many nodes of a pool belong to Slurm, and so to no namespace."""
        return self.slurm.nodes_of(pool) if self.slurm else 0

    @property
    def admission(self) -> Admission:
        if self.policies.admission is not None:
            return self.policies.admission
        safe = has(self.kubernetes, Feature.SAFE_POLICIES)
        return Admission.BACKSTOP if safe else Admission.WEBHOOK_ONLY
