"""Drafting a parsed cluster file: the hardware and facts of each pool, as far as known."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.parse import Parsed
from charts_py.cluster_file.pool import Pool, SharingSpec
from charts_py.platform.described_hardware import described_catalog
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.hardware import NodeHardware
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES
from charts_py.platform.pool_hardware import DECLARED, HardwareError, resolve_hardware
from charts_py.platform.provider_facts import ProviderFacts
from gpus.allocator import allocator_problems
from gpus.catalog import Catalog, load_catalog
from gpus.pool_facts import Advertiser, PoolFacts, PoolQuery, read_pool
from gpus.sharing import Sharing, sharing_problems
from gpus.vendor import NVIDIA


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


class _PoolDrafter:
    """Drafts the pools of one cluster."""

    def __init__(
        self,
        parsed: Parsed,
        provider: ProviderFacts,
        catalog: Catalog,
        wrongly_described: frozenset[str],
    ) -> None:
        self._provider = provider
        self._catalog = catalog
        self._wrongly_described = wrongly_described
        self._cluster = parsed.cluster
        self._cut = parsed.cut

    def draft(self, name: str, pool: Pool) -> DraftPool:
        sharing = _sharing(pool.sharing)
        if self._hides_hardware(name):
            return DraftPool(name, pool, sharing, None, None)
        try:
            hardware = resolve_hardware(name, pool, self._provider, self._catalog)
        except HardwareError as error:
            problems = tuple(self._unknown(pool, error.problems))
            return DraftPool(name, pool, sharing, None, None, hardware_problems=problems)
        is_possible = not (
            sharing_problems(sharing, hardware.model)
            or allocator_problems(pool.allocator, sharing, hardware.model)
        )
        is_read = not any(cut[:3] in _decisive(name) for cut in self._cut)
        facts = self._facts(name, pool, hardware) if is_possible and is_read else None
        count = self._provider.addressed_pods
        addressed_pods = count(self._cluster, hardware) if count else None
        return DraftPool(name, pool, sharing, hardware, facts, addressed_pods)

    def _unknown(self, pool: Pool, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Yield the problems without those of a name that is described, but wrongly."""
        names = {"gpu": pool.gpu, "instanceType": pool.instance_type}
        for problem in problems:
            if names.get(str(problem.path[-1])) not in self._wrongly_described:
                yield problem

    def _hides_hardware(self, name: str) -> bool:
        """Return whether something was cut that determines the hardware."""
        fields = {("pools", name, field) for field in ("instanceType", *DECLARED)}
        return not self._cut.isdisjoint({("provider",), ("pools",), *fields})

    def _facts(self, name: str, pool: Pool, hardware: NodeHardware) -> PoolFacts:
        provider = self._provider
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
        )
        return read_pool(query, self._catalog)


def _decisive(name: str) -> tuple[FieldPath, ...]:
    """Return the paths of what decides, beside the hardware, what a pool's nodes offer."""
    return ("pools", name, "sharing"), ("pools", name, "allocator")


def _sharing(spec: SharingSpec) -> Sharing:
    return Sharing(
        mig=tuple(sorted(spec.mig.items())),
        time_slicing=spec.time_slicing or 1,
        mps=spec.mps or 1,
    )
