"""A cluster file as far as it could be read, with the hardware and facts of each pool."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.kubernetes_version import Feature, has, since
from charts_py.cluster_file.parse import Parsed
from charts_py.cluster_file.pool import PODS_PER_NODE, GpuTaint, Pool, SharingSpec
from charts_py.cluster_file.team import Namespace
from charts_py.platform.described_hardware import described_catalog
from charts_py.platform.node_labels import provider_labels
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES
from charts_py.platform.pool_hardware import DECLARED, HardwareError, resolve_hardware
from charts_py.platform.provider_facts import NodeHardware, ProviderFacts
from gpus.allocator import allocator_problems
from gpus.catalog import Catalog, load_catalog
from gpus.model import NVIDIA
from gpus.pool_facts import Advertiser, PoolFacts, PoolQuery, read_pool
from gpus.purchase import Purchase
from gpus.sharing import Sharing, sharing_problems
from gpus.taint import Taint
from policies.document import value_at


@dataclass(frozen=True, slots=True)
class DraftPool:
    """A pool as far as it could be understood."""

    name: str
    spec: Pool
    sharing: Sharing
    hardware: NodeHardware | None
    """None where the hardware is unknown; `hardware_problems` say why."""
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

    def sold(self, provider: ProviderFacts) -> tuple[Purchase, ...]:
        """Return the ways in which its machines are sold."""
        machine = self.hardware.machine if self.hardware else None
        return (machine.purchases if machine else ()) or provider.purchases

    @property
    def zones(self) -> list[tuple[FieldPath, str]]:
        return [((*self.path, "zones", i), zone) for i, zone in enumerate(self.spec.zones)]


@dataclass(frozen=True, slots=True)
class _PoolDrafter:
    parsed: Parsed
    provider: ProviderFacts
    catalog: Catalog
    wrongly_described: frozenset[str]

    def draft(self, name: str, pool: Pool) -> DraftPool:
        sharing = _sharing(pool.sharing)
        # What was cut may determine the hardware.
        fields = {("pools", name, field) for field in ("instanceType", *DECLARED)}
        if not self.parsed.cut.isdisjoint({("provider",), ("pools",), *fields}):
            return DraftPool(name, pool, sharing, None, None)
        try:
            hardware = resolve_hardware(name, pool, self.provider, self.catalog)
        except HardwareError as error:
            # What is described, but wrongly, is not unknown besides.
            names = {"gpu": pool.gpu, "instanceType": pool.instance_type}
            problems = tuple(
                each
                for each in error.problems
                if names.get(str(each.path[-1])) not in self.wrongly_described
            )
            return DraftPool(name, pool, sharing, None, None, hardware_problems=problems)
        is_possible = not (
            sharing_problems(sharing, hardware.model)
            or allocator_problems(pool.allocator, sharing, hardware.model)
        )
        decisive = (("pools", name, field) for field in ("sharing", "allocator"))
        is_read = {*decisive}.isdisjoint(cut[:3] for cut in self.parsed.cut)
        facts = self._facts(name, pool, hardware) if is_possible and is_read else None
        count = self.provider.addressed_pods
        addressed_pods = count(self.parsed.cluster, hardware) if count else None
        return DraftPool(name, pool, sharing, hardware, facts, addressed_pods)

    def _facts(self, name: str, pool: Pool, hardware: NodeHardware) -> PoolFacts:
        provider = self.provider
        is_nvidia = hardware.model.vendor == NVIDIA
        query = PoolQuery(
            pool=name,
            model=hardware.model,
            gpus_per_node=hardware.gpus,
            sharing=_sharing(pool.sharing),
            purpose=pool.purpose.value,
            purchase=pool.purchase,
            interconnect=hardware.interconnect,
            advertiser=provider.advertiser if is_nvidia else Advertiser.OPERATOR,
            naming=provider.naming,
            uniform_mig=provider.uniform_mig,
            provider_taints=provider.taints,
            allocator=pool.allocator,
            queued=pool.nodes.queued,
            has_gpu_taint=pool.taint is GpuTaint.GPU,
            own_taints=tuple(Taint(one.key, one.value, one.effect.value) for one in pool.taints),
            own_labels=pool.labels,
            provider_labels=provider_labels(provider, self.parsed.cluster, name, pool, hardware),
        )
        return read_pool(query, self.catalog)


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
    """Paths of the parts that could not be read."""
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

    def purchases(self, pool: DraftPool) -> tuple[Purchase, ...]:
        """Return the purchases by which nodes like those of a pool can be had."""
        unsold = self.provider.unsold
        without = unsold(self.cluster, pool.spec) if unsold else ()
        return tuple(one for one in pool.sold(self.provider) if one not in without)

    @property
    def shareable_pools(self) -> list[DraftPool]:
        """The pools of a model that can be shared as they say, whatever allocates their GPUs."""
        return [
            each
            for each in self.pools
            if each.hardware is not None
            and self.is_whole((*each.path, "sharing"))
            and not sharing_problems(each.sharing, each.hardware.model)
        ]

    @property
    def cluster_names(self) -> list[str]:
        """The clusters whose files stand in the same folder."""
        files = self.directory.glob("*.yaml")
        return sorted(file.stem for file in files if file.name != FLEET_FILE)

    def names_at(self, path: FieldPath) -> tuple[str, ...]:
        """Return the names in a mapping, including those of entries that could not be read."""
        value: Any = value_at(self.content, path)
        return tuple(value) if isinstance(value, dict) else ()

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


def zone_problems(draft: Draft, zones: Iterable[tuple[FieldPath, str]]) -> Iterator[Problem]:
    """Yield a problem for each zone that is none of the region; none for an unknown region."""
    region, known = draft.cluster.region, draft.provider.regions
    if not draft.is_read(("region",)) or not re.fullmatch(known.pattern, region):
        return
    pattern = known.zone_pattern.replace("{region}", region)
    written = (f"{region}-a", f"{region}a", "1")
    example = next((each for each in written if re.fullmatch(pattern, each)), pattern)
    for path, zone in zones:
        if not re.fullmatch(pattern, zone):
            yield Problem(path, f'"{zone}" is not a zone of {region}', f"one such as {example}")


def draft_cluster(
    file: Path,
    content: Mapping[str, Any],
    parsed: Parsed,
    provider: ProviderFacts,
    own_namespaces: frozenset[str],
) -> Draft:
    """Return the draft of a cluster, which is named after its file.

    `own_namespaces` are those of any component.
    """
    described = described_catalog(parsed.cluster.hardware, load_catalog())
    wrongly = _described_names(content) - described.catalog.names
    drafter = _PoolDrafter(parsed, provider, described.catalog, wrongly)
    return Draft(
        name=file.stem,
        cluster=parsed.cluster,
        provider=provider,
        catalog=described.catalog,
        described_problems=described.problems,
        pools=tuple(drafter.draft(name, pool) for name, pool in parsed.cluster.pools.items()),
        directory=file.parent,
        content=content,
        reserved_namespaces=KUBERNETES_NAMESPACES.union(
            own_namespaces, provider.managed_namespaces
        ),
        cut=parsed.cut,
    )


def _described_names(content: Mapping[str, Any]) -> frozenset[str]:
    hardware = _mapping(content.get("hardware"))
    types = _mapping(hardware.get("instanceTypes")).values()
    described = (_mapping(hardware.get("models")), *map(_mapping, types))
    return frozenset(name for names in described for name in names)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _sharing(spec: SharingSpec) -> Sharing:
    return Sharing(
        mig=tuple(sorted(spec.mig.items())), time_slicing=spec.time_slicing or 1, mps=spec.mps or 1
    )
