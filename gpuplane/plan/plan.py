"""A plan: what a change does to each cluster."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from charts_py.cluster_file.cluster import FailOn
from charts_py.cluster_file.fault import Fault
from charts_py.cluster_file.gitops import ARGOCD_NAMESPACE
from charts_py.platform.platform import Platform
from gpuplane.plan.allocation_change import NO_CHANGE, AllocationChange
from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.plan.kubernetes_upgrade import KubernetesUpgrade
from gpuplane.plan.outage import Outage
from gpuplane.plan.pin_change import PinChange
from gpuplane.plan.refused_pools import RemadePool, keeping, refused_pools
from gpuplane.plan.removed_pool import RemovedPool
from gpuplane.plan.restart import Restart
from gpuplane.plan.unplugged_nodes import UnpluggedNodes
from gpuplane.plan.version_bump import VersionBump
from gpuplane.plan.workload_impact import WorkloadImpact
from gpuplane.reports.cost.cost_statement import CostComparison
from gpuplane.versions.base import Base
from gpuplane.versions.comparison import ChangedObject, Subject


@dataclass(frozen=True)
class ClusterPlan:
    cluster: str
    subject: Subject
    """Whether it is what a merge does, or what a later promotion would."""
    old: str | None
    """The version that it goes from; None where there is none."""
    new: str | None
    objects: tuple[PlannedObject, ...] = ()
    """The objects that differ, the worst first."""
    outages: tuple[Outage, ...] = ()
    """Outages by pool and mechanism, the most GPUs first."""
    unsized: tuple[str, ...] = ()
    restarts: tuple[Restart, ...] = ()
    """Resources of which pods do not all start again."""
    removed_pools: tuple[RemovedPool, ...] = ()
    cost: CostComparison | None = None
    allocations: AllocationChange = NO_CHANGE
    pins: tuple[PinChange, ...] = ()
    bump: VersionBump | None = None
    """None where a version is new, gone, or rolled back to."""
    upgrade: KubernetesUpgrade | None = None
    """Another minor version that it is rendered for; None where that stays."""
    workloads: WorkloadImpact | None = None
    """None where nobody said what runs."""
    fail_on: FailOn = FailOn.NEVER
    """The least verdict on which the repository has a plan fail."""
    argocd_namespace: str = ARGOCD_NAMESPACE
    let_go: int = 0
    """Objects that Argo CD lets go of without removing them, since no version is live any more."""
    not_known: tuple[str, ...] = ()
    before: Platform | None = None
    """The cluster as the old version has it; None without one, and where it is not known."""
    asked: Platform | None = None
    """The cluster as the new version asks for it."""
    remade: tuple[RemadePool, ...] = ()
    """The pools that refuse their change, with what making them again would bring."""
    unplugged: tuple[UnpluggedNodes, ...] = ()
    """The nodes that lose the device plugin of their network."""
    is_increment: bool = False
    """Whether it goes from what was rendered to what is, while another version is live: a promotion
    brings more than that."""
    live: str | None = None
    """The version that is live after a merge; None where none is."""
    values: tuple[ChangedObject, ...] = ()
    """The objects that both versions have, with the values of fields that differ."""
    today: dt.date = dt.date.min
    """Decides which exceptions to rules have expired; by default none has."""

    @cached_property
    def refused(self) -> frozenset[str]:
        """The pools that stay as they are."""
        kept = {pool.name for pool in self.before.pools} if self.before else set[str]()
        return frozenset(refused_pools(self.objects)) & kept

    @cached_property
    def after(self) -> Platform | None:
        """The cluster as it becomes: pools that refuse their change stay as they are."""
        return self.asked and keeping(self.asked, self.before, self.refused)

    @property
    def is_later(self) -> bool:
        """Whether only a later promotion does it, and not the merge."""
        return self.subject is Subject.RENDERED

    @property
    def has_any(self) -> bool:
        found = (self.objects, self.let_go, self.pins, self.upgrade, self.allocations)
        return any(map(bool, found))

    @property
    def verdict(self) -> Verdict:
        is_refused = self.workloads is not None and bool(self.workloads.refused)
        least = Verdict.DEFERRED if is_refused else Verdict.SAFE
        least = Verdict.DISRUPTIVE if self.restarts else least
        of_objects = (each.verdict for each in self.reached)
        return max((least, *of_objects, *(each.verdict for each in self.pins)))

    def fails(self, fail_on: FailOn | None = None) -> bool:
        """Say whether a plan of its verdict fails; by default, as its repository says."""
        least = fail_on or self.fail_on
        return least is not FailOn.NEVER and self.verdict >= Verdict[least.name]

    @property
    def reached(self) -> tuple[PlannedObject, ...]:
        """The objects that differ, and those whose nodes follow the control plane."""
        return (*self.objects, *(self.upgrade.objects if self.upgrade else ()))

    @property
    def removed(self) -> tuple[PlannedObject, ...]:
        """The objects that Argo CD prunes."""
        return tuple(each for each in self.objects if each.change is Change.REMOVED)

    @property
    def held_namespaces(self) -> frozenset[str]:
        """The namespaces that stay, with all in them, until somebody confirms their removal."""
        held = (each.placed.key for each in self.removed if each.is_held)
        return frozenset(key.name for key in held if key.kind == "Namespace")

    @property
    def kept(self) -> tuple[PlannedObject, ...]:
        return tuple(each for each in self.objects if each.change is not Change.REMOVED)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change does to the fleet."""

    base: Base | None
    """What it is compared with; None for what is live."""
    clusters: tuple[ClusterPlan, ...]
    """Clusters that differ: first those that a merge changes, then those that are only rendered."""
    unchanged: tuple[str, ...]
    edits: Mapping[str, str] = field(default_factory=dict)
    """What differs of files in clusters/ since the base, as unified diffs by their name."""
    rendered_here: tuple[str, ...] = ()
    """Clusters that are planned as their file renders them, which is not in `dist/`."""
    released: tuple[str, ...] = ()
    """Those of them that name a released version, which `gpuplane synth` refuses to render."""
    edited: tuple[str, ...] = ()
    """Cluster files that are not what was rendered, so that what they ask for is not planned."""
    alike: tuple[str, ...] = ()
    """Clusters and the version of each that is live as well as rendered, so that without a base
    nothing is compared."""
    placeholders: tuple[Fault, ...] = ()
    """Fields of the cluster files that nobody has set yet."""

    @property
    def merged(self) -> tuple[ClusterPlan, ...]:
        """The plans of clusters that the merge itself changes."""
        return tuple(each for each in self.clusters if not each.is_later)

    @property
    def verdict_words(self) -> str:
        """The worst verdict; without any, whether something was edited or is not compared."""
        is_known = self.clusters or not (self.edited or self.alike)
        return self.verdict.word if is_known else "not known"

    @property
    def known_unchanged(self) -> tuple[str, ...]:
        return tuple(name for name in self.unchanged if name not in self.edited)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict, be it by the merge or by a later promotion."""
        return max((each.verdict for each in self.clusters), default=Verdict.SAFE)
