"""A cluster file as far as it could be read, on the way to a Platform."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.kubernetes_version import Feature, has, since
from charts_py.cluster_file.pool import PODS_PER_NODE, Pool
from charts_py.cluster_file.team import Namespace
from charts_py.platform.hardware import NodeHardware
from charts_py.platform.provider_facts import ProviderFacts
from gpus.catalog import Catalog, load_catalog
from gpus.pool_facts import PoolFacts
from gpus.sharing import Sharing


@dataclass(frozen=True, slots=True)
class DraftPool:
    """A pool as far as it could be understood."""

    name: str
    spec: Pool
    sharing: Sharing
    hardware: NodeHardware | None
    """None where the hardware is unknown, for which `hardware_problems` are the reasons."""
    facts: PoolFacts | None
    """None where the hardware is unknown or cannot be shared like this."""
    addressed_pods: int | None = None
    """How many pods a node has addresses for; None where their number is not bounded, or not
    known."""
    hardware_problems: tuple[Problem, ...] = ()

    @property
    def max_pods(self) -> int:
        """How many pods a node holds, as the file says or by default."""
        return self.spec.max_pods or min(self.addressed_pods or PODS_PER_NODE, PODS_PER_NODE)

    @property
    def path(self) -> FieldPath:
        return ("pools", self.name)


@dataclass(frozen=True, slots=True)
class Draft:
    """A cluster file as far as it could be read."""

    name: str
    cluster: Cluster
    provider: ProviderFacts
    pools: tuple[DraftPool, ...]
    directory: Path
    content: Mapping[str, Any]
    """The file as it was, including what could not be read."""
    reserved_namespaces: frozenset[str]
    """Namespaces that no team can have: Kubernetes' and those of any component."""
    cut: frozenset[FieldPath]
    """Paths of what could not be read."""
    catalog: Catalog = field(default_factory=load_catalog)
    """The hardware that is known: what the tables hold and what the file describes."""
    described_problems: tuple[Problem, ...] = ()
    """What is wrong with the hardware that the file describes."""

    @property
    def driver_owner(self) -> DriverOwner:
        return self.cluster.driver.owner or self.provider.driver_owners[0]

    @property
    def has_driver_owner(self) -> bool:
        """Whether the owner was read, and is one that the provider allows."""
        return (
            self.is_read(("driver", "owner")) and self.driver_owner in self.provider.driver_owners
        )

    def namespaces(self) -> Iterator[tuple[FieldPath, str, Namespace]]:
        for team_name, team in self.cluster.teams.items():
            for name, namespace in team.namespaces.items():
                yield ("teams", team_name, "namespaces", name), name, namespace

    def names_at(self, path: FieldPath) -> tuple[str, ...]:
        """Return the names in a mapping, including those of entries that could not be read."""
        value: Any = self.content
        for step in path:
            value = value.get(step) if isinstance(value, Mapping) else None
        return tuple(value) if isinstance(value, Mapping) else ()

    def is_read(self, path: FieldPath) -> bool:
        """Return whether the value at a path, or a part of it, was read as it is in the file."""
        return not any(path[: len(cut)] == cut for cut in self.cut)

    def is_whole(self, path: FieldPath) -> bool:
        """Return whether the whole value at a path was read as it is in the file."""
        return self.is_read(path) and not any(cut[: len(path)] == path for cut in self.cut)

    @property
    def has_provider_settings(self) -> bool:
        """Whether the provider's own block, where it has one, was read as it is in the file."""
        block = self.provider.name.value
        is_given = getattr(self.cluster, block, None) is not None
        return self.is_whole((block,)) and (is_given or not self.provider.makes_nodes)


def feature_problem(draft: Draft, path: FieldPath, feature: Feature) -> Iterator[Problem]:
    """Yield a problem where the value at a path needs a later Kubernetes."""
    version = draft.cluster.kubernetes
    if draft.is_read(("kubernetes",)) and not has(version, feature):
        yield Problem(path, f"Kubernetes {version} has no {feature}", f"{since(feature)} or later")
