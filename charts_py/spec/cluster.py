"""The cluster file as a whole."""

from pydantic import Field

from charts_py.spec.addons import Addons
from charts_py.spec.driver import Driver
from charts_py.spec.extensions import Extensions
from charts_py.spec.gitops import GitOps
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.policies import Policies
from charts_py.spec.pool import Pool
from charts_py.spec.priority import Priority, default_ladder
from charts_py.spec.provider import AksSettings, EksSettings, GkeSettings
from charts_py.spec.semantic_version import SemanticVersion
from charts_py.spec.strict_model import StrictModel
from charts_py.spec.team import Team
from charts_py.spec.webhook import Webhook
from gpus.provider import Provider


class Cluster(StrictModel):
    """One cluster. Its name is the file's; what clusters share stands in `fleet.yaml`."""

    provider: Provider
    """Where the cluster runs."""
    region: str = Field(min_length=1)
    """Cloud region, or the data centre's name."""
    kubernetes: KubernetesVersion
    """Kubernetes minor version, quoted."""
    version: SemanticVersion
    """Version that a synth renders. Without a pre-release suffix it is released: once on the main
    branch its folder never changes again."""
    live: SemanticVersion | None = None
    """Version that Argo CD syncs; defaults to `version`. One changed line promotes or rolls
    back."""
    gitops: GitOps
    """The repository that Argo CD follows, and the API server that it talks to."""
    eks: EksSettings | None = None
    """The EKS cluster; required there."""
    gke: GkeSettings | None = None
    """The GKE cluster; required there."""
    aks: AksSettings | None = None
    """The AKS cluster; required there."""
    driver: Driver = Driver()
    """Who installs the GPU driver."""
    pools: dict[str, Pool] = Field(min_length=1)
    """Node pools by name."""
    priorities: dict[str, Priority] = Field(default_factory=default_ladder, min_length=1)
    """Priority ladder by class name; absent, a ladder from `batch` (100) over `inference`
    (1000000) to `system`."""
    teams: dict[str, Team] = Field(default_factory=dict)
    """Teams by name."""
    policies: Policies = Policies()
    """What the admission policies do."""
    webhook: Webhook = Webhook()
    """The admission webhook that applies them."""
    addons: Addons = Addons()
    """Parts that a cluster may have or not."""
    extensions: Extensions = Extensions()
    """What this cluster adds to, or changes in, what is emitted for it."""
