"""A cluster with all that follows from its file; what every component is built from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from charts_py.platform.hardware import NodeHardware
from charts_py.spec.cluster import Cluster
from charts_py.spec.driver import DriverOwner
from charts_py.spec.pool import Pool
from charts_py.spec.team import Namespace, Team
from gpus.pool_facts import PoolFacts


@dataclass(frozen=True, slots=True)
class PlatformPool:
    """A pool, its nodes' hardware, and what follows for each node."""

    name: str
    spec: Pool
    hardware: NodeHardware
    facts: PoolFacts

    @property
    def vendor(self) -> str:
        """Who made the GPUs, as `nvidia`."""
        return self.hardware.model.vendor


@dataclass(frozen=True, slots=True)
class TeamNamespace:
    """A namespace and the team that it belongs to."""

    name: str
    spec: Namespace
    team_name: str
    team: Team


@dataclass(frozen=True, slots=True)
class Platform:
    """A cluster with all that follows from its file."""

    name: str
    cluster: Cluster
    pools: tuple[PlatformPool, ...]
    driver_owner: DriverOwner
    directory: Path
    """Folder of the cluster file, which extensions are found beside."""

    @property
    def live(self) -> str:
        """The version that Argo CD syncs."""
        return self.cluster.live or self.cluster.version

    @property
    def offered_resources(self) -> tuple[str, ...]:
        """Every GPU resource that some pool offers, sorted."""
        return tuple(sorted({r.name for pool in self.pools for r in pool.facts.resources}))

    @property
    def namespaces(self) -> Iterator[TeamNamespace]:
        """Every namespace of every team, sorted by name."""
        found = [
            TeamNamespace(name, spec, team_name, team)
            for team_name, team in self.cluster.teams.items()
            for name, spec in team.namespaces.items()
        ]
        return iter(sorted(found, key=lambda namespace: namespace.name))

    def pools_of(self, *vendors: str) -> tuple[PlatformPool, ...]:
        """Return the pools with GPUs of these vendors."""
        return tuple(pool for pool in self.pools if pool.vendor in vendors)

    def pool(self, name: str) -> PlatformPool:
        """Return the pool of that name; raise KeyError where there is none."""
        by_name: Mapping[str, PlatformPool] = {pool.name: pool for pool in self.pools}
        return by_name[name]
