"""A cluster with everything that follows from its file; the input of every component."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, RenderError, mark_at
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.kubernetes_version import NOT_LIVE
from charts_py.cluster_file.pool import Pool
from charts_py.cluster_file.team import Namespace, Team
from charts_py.platform.contribution import Contribution, Watched
from charts_py.platform.metrics_collection import MetricsCollection, metrics_collection
from charts_py.platform.pool_price import NoPrice, Price, pool_price
from charts_py.platform.provider_facts import NodeHardware, ProviderFacts
from charts_py.platform.registry_mirrors import RegistryMirrors
from gpus.allocator import Allocator
from gpus.model import NVIDIA
from gpus.platform_names import COST_CENTER, MAX_LABEL_VALUE, PROJECT, TEAM
from gpus.pool_facts import PoolFacts
from gpus.taint import Taint

_DIGEST_LENGTH = 8


@dataclass(frozen=True, slots=True)
class PlatformPool:
    name: str
    spec: Pool
    hardware: NodeHardware
    facts: PoolFacts
    max_pods: int
    """How many pods a node holds."""

    @property
    def vendor(self) -> str:
        return self.hardware.model.vendor

    @property
    def own_taints(self) -> tuple[Taint, ...]:
        """The taints that the provider does not set by itself."""
        return tuple(
            taint for taint in self.facts.taints if taint not in self.facts.provider_taints
        )

    @property
    def min_nodes(self) -> int:
        """The nodes that run even when all are idle."""
        return self.spec.nodes.kept

    @property
    def instance_type(self) -> str:
        """The instance type; raises RenderError where the pool names only a GPU model."""
        if self.spec.instance_type is None:
            raise RenderError(f"pool {self.name} has no instance type; set instanceType")
        return self.spec.instance_type

    @property
    def instance_types(self) -> tuple[str, ...]:
        """All instance types that a node may be of, the smallest first."""
        return (self.instance_type, *(one.name for one in self.hardware.larger))


def taints_of(pools: Iterable[PlatformPool]) -> tuple[Taint, ...]:
    """Return every taint on the nodes of the pools, sorted as `key=value:effect`."""
    return tuple(sorted({taint for pool in pools for taint in pool.facts.taints}, key=str))


@dataclass(frozen=True, slots=True)
class TeamNamespace:
    name: str
    spec: Namespace
    team_name: str
    team: Team


@dataclass(frozen=True)
class Platform:
    """A cluster with everything that follows from its file."""

    name: str
    cluster: Cluster
    provider: ProviderFacts
    pools: tuple[PlatformPool, ...]
    driver_owner: DriverOwner
    directory: Path
    """Folder of the cluster file and of its extensions."""
    reserved_namespaces: frozenset[str]
    """Namespaces that no team can have: Kubernetes' and those of any component."""
    marks: Mapping[FieldPath, Mark]
    """Where each value of the cluster file, or of the fleet's, stands."""
    contribute: "Callable[[Platform], Contribution]"
    """Sums up what the components of a platform add to objects that are not theirs."""
    watch: "Callable[[Platform], Watched]"
    """Returns what Prometheus reads of the components of a platform."""
    workers: "tuple[Platform, ...]" = ()
    """The clusters that run jobs for it, where it takes them."""

    def __hash__(self) -> int:
        """Let what follows from a platform be kept, though its fields are not hashable."""
        return hash(self.name)

    @cached_property
    def contribution(self) -> Contribution:
        return self.contribute(self)

    @cached_property
    def watched(self) -> Watched:
        """What Prometheus reads of its components, which may follow from what they add."""
        return self.watch(self)

    @property
    def is_live(self) -> bool:
        """Whether Argo CD syncs a version."""
        return self.cluster.live != NOT_LIVE

    @property
    def live(self) -> str:
        """The version that Argo CD syncs; raises RenderError where it syncs none."""
        if not self.is_live:
            raise RenderError(f"{self.name}: live: {NOT_LIVE}, so that there is no live version")
        return self.cluster.live or self.cluster.version

    @cached_property
    def monitoring(self) -> MetricsCollection:
        return metrics_collection(self.cluster.addons.monitoring, self.provider)

    @cached_property
    def mirrors(self) -> RegistryMirrors:
        places = {name: registry.mirror for name, registry in self.cluster.registries.items()}
        return RegistryMirrors(places)

    @cached_property
    def offered_resources(self) -> tuple[str, ...]:
        """Every GPU resource that some pool offers, sorted."""
        return tuple(sorted({r.name for pool in self.pools for r in pool.facts.resources}))

    @cached_property
    def namespaces(self) -> tuple[TeamNamespace, ...]:
        """Every namespace of every team, sorted by name."""
        found = [
            TeamNamespace(name, spec, team_name, team)
            for team_name, team in self.cluster.teams.items()
            for name, spec in team.namespaces.items()
        ]
        return tuple(sorted(found, key=lambda namespace: namespace.name))

    @property
    def taken_for_workers(self) -> tuple[str, ...]:
        """Namespaces whose jobs its workers run."""
        multi_kueue = self.cluster.multi_kueue
        return multi_kueue.namespaces if multi_kueue and self.workers else ()

    @property
    def run_for_manager(self) -> tuple[str, ...]:
        """Namespaces where it runs the jobs that another cluster accepts."""
        multi_kueue = self.cluster.multi_kueue
        is_worker = multi_kueue is not None and multi_kueue.is_worker(self.name)
        return multi_kueue.namespaces if multi_kueue and is_worker else ()

    def mark(self, path: FieldPath) -> Mark:
        """Return where a value stands; one that is missing, where what should hold it does."""
        return mark_at(path, self.marks)

    def shared_mark(self, path: FieldPath) -> Mark:
        """Return where a value stands; one that is missing, where the file of the fleet begins."""
        mark, own = self.mark(path), self.mark(())
        others = (each for each in self.marks.values() if each.file != own.file)
        return min(others, default=own) if mark == own else mark

    def fault(
        self, path: FieldPath, what: str, allowed: str | None = None, nearest: tuple[str, ...] = ()
    ) -> Fault:
        """Return the fault of a value that only rendering could find, with its line."""
        return Fault(self.mark(path), Problem(path, what, allowed, nearest))

    def pools_of(self, *vendors: str) -> tuple[PlatformPool, ...]:
        return tuple(pool for pool in self.pools if pool.vendor in vendors)

    def pools_by(self, allocator: Allocator) -> tuple[PlatformPool, ...]:
        """Return the pools with NVIDIA GPUs that it gives to pods."""
        return tuple(p for p in self.pools_of(NVIDIA) if p.facts.allocator is allocator)

    def daemon_taints(self, pools: Iterable[PlatformPool]) -> tuple[Taint, ...]:
        """Return every taint that a daemon on the nodes of pools meets, from their start on."""
        met, added = tuple(pools), self.contribution
        startup = (added.startup_taints.get(pool.name, ()) for pool in met)
        distinct = dict.fromkeys(chain.from_iterable(startup))
        return (*taints_of(met), *distinct, *added.health_taints)

    def price_of(self, pool: PlatformPool) -> Price | None:
        price = self.price_or_reason(pool)
        return price if isinstance(price, Price) else None

    def price_or_reason(self, pool: PlatformPool) -> Price | NoPrice:
        return pool_price(pool.spec, pool.hardware, self.cluster)

    def counts_evictions(self, pool: PlatformPool) -> bool:
        """Return whether a job counts its evicted pods as failed ones.

        Where broken GPUs evict, a job that breaks them would be started anew for ever. A Job cannot
        tell who evicted: its `podFailurePolicy` reads type and status of a condition, and no
        reason. On spot nodes, which are taken back all the time, it counts none.
        """
        return self.cluster.addons.evicts_pods and not pool.facts.spot_taint

    def team_nodes(self, pool: PlatformPool) -> int:
        """Return how many nodes of a pool teams can have at most."""
        return self.cluster.team_nodes(pool.name, pool.spec)

    def namespace(self, name: str) -> TeamNamespace:
        """Return the namespace of that name; raise KeyError where there is none."""
        return {namespace.name: namespace for namespace in self.namespaces}[name]

    def pool(self, name: str) -> PlatformPool:
        """Return the pool of that name; raise KeyError where there is none."""
        by_name: Mapping[str, PlatformPool] = {pool.name: pool for pool in self.pools}
        return by_name[name]


def team_labels(namespace: TeamNamespace) -> dict[str, str]:
    """Return the labels that namespace and pods have in common."""
    return {
        TEAM: namespace.team_name,
        COST_CENTER: namespace.team.cost_center,
        PROJECT: namespace.team.project or namespace.team_name,
    }


def owner_label(mail_address: str) -> str:
    """Return a mail address as a label value, such as `ml_at_example.com`.

    An address that is too long, or has characters that label values do not allow, ends in a digest
    of it, so that two addresses never become one.
    """
    replaced = mail_address.replace("@", "_at_")
    cleaned = re.sub(r"[^A-Za-z0-9_.-]", "_", replaced).strip("_.-")
    if cleaned == replaced and len(cleaned) <= MAX_LABEL_VALUE:
        return cleaned
    digest = hashlib.sha256(mail_address.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{cleaned[: MAX_LABEL_VALUE - _DIGEST_LENGTH - 1]}-{digest}"
