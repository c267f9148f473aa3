"""The cluster file as a whole."""

from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.addons import Addons
from charts_py.cluster_file.bounds import Unique
from charts_py.cluster_file.charts import Charts, Registry
from charts_py.cluster_file.cost import Cost
from charts_py.cluster_file.driver import Driver
from charts_py.cluster_file.extensions import Extensions
from charts_py.cluster_file.gitops import GitOps
from charts_py.cluster_file.hardware import Hardware
from charts_py.cluster_file.kubernetes_version import Feature, LiveVersion, SemanticVersion, has
from charts_py.cluster_file.network import Network
from charts_py.cluster_file.plan_policy import PlanPolicy
from charts_py.cluster_file.policies import Admission, Policies
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.priority import Priority, default_ladder
from charts_py.cluster_file.promotion import Promotion
from charts_py.cluster_file.provider import AksSettings, EksSettings, GkeSettings
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.queues import Borrowing, MultiKueue, Queues, Slurm
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.team import Team
from charts_py.cluster_file.text_forms import ObjectName
from charts_py.cluster_file.training import Training
from charts_py.cluster_file.webhook import Webhook
from gpus.provider import Provider
from upstream.kubernetes_version import KubernetesVersion


class Cluster(StrictModel):
    """One cluster, named after its file. What clusters share is in `fleet.yaml`."""

    provider: Provider
    """Where the cluster runs."""
    region: str = Field(min_length=1)
    """Cloud region, or the data centre's name."""
    kubernetes: KubernetesVersion
    """Kubernetes minor version, quoted."""
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
    slurm: Slurm | None = None
    """A Slurm cluster on nodes of the pools."""
    policies: Policies = Policies()
    """What the admission policies do."""
    webhook: Webhook = Webhook()
    """The admission webhook that applies them."""
    addons: Addons = Addons()
    """Parts that are installed only where they are wanted."""
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
    def queue_engine(self) -> QueueEngine | None:
        """What decides which job has its GPUs next; None without queues."""
        return self.queues.engine if self.queues else None

    @property
    def borrowing(self) -> Borrowing:
        """Whose unused allocations a namespace may borrow."""
        return self.queues.borrowing if self.queues else Borrowing.NONE

    def slurm_nodes(self, pool: str) -> int:
        """Return how many nodes of a pool are Slurm's, of which no namespace has any."""
        return self.slurm.nodes_of(pool) if self.slurm else 0

    @property
    def admission(self) -> Admission:
        """Who fixes and judges pods at admission."""
        if self.policies.admission is not None:
            return self.policies.admission
        safe = has(self.kubernetes, Feature.SAFE_POLICIES)
        return Admission.BACKSTOP if safe else Admission.WEBHOOK_ONLY
