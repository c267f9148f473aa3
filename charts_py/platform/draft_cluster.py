"""From a parsed cluster file to its draft: hardware and facts of each pool, as far as known."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.hardware import STATED, HardwareError, NodeHardware, resolve_hardware
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES
from charts_py.platform.provider_facts import ProviderFacts
from charts_py.spec.parse import Parsed
from charts_py.spec.pool import Pool, SharingSpec
from gpus.catalog import load_catalog
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
    drafter = _PoolDrafter(parsed, provider)
    return Draft(
        name=file.stem,
        cluster=parsed.cluster,
        provider=provider,
        pools=tuple(drafter.draft(name, pool) for name, pool in parsed.cluster.pools.items()),
        directory=file.parent,
        content=content,
        reserved_namespaces=KUBERNETES_NAMESPACES | own_namespaces,
        cut=parsed.cut,
    )


class _PoolDrafter:
    """Drafts the pools of one cluster."""

    def __init__(self, parsed: Parsed, provider: ProviderFacts) -> None:
        self._provider = provider
        self._cluster = parsed.cluster
        self._cut = parsed.cut

    def draft(self, name: str, pool: Pool) -> DraftPool:
        sharing = _sharing(pool.sharing)
        if self._hides_hardware(name):
            return DraftPool(name, pool, sharing, None, None)
        try:
            hardware = resolve_hardware(name, pool, self._provider, load_catalog())
        except HardwareError as error:
            return DraftPool(name, pool, sharing, None, None, hardware_problems=error.problems)
        is_shareable = not sharing_problems(sharing, hardware.model)
        is_read = not any(cut[:3] == ("pools", name, "sharing") for cut in self._cut)
        facts = _facts(name, pool, self._provider, hardware) if is_shareable and is_read else None
        addressed_pods = self._provider.addressed_pods(self._cluster, hardware)
        return DraftPool(name, pool, sharing, hardware, facts, addressed_pods)

    def _hides_hardware(self, name: str) -> bool:
        """Tell whether something was cut that determines the hardware."""
        fields = {("pools", name, field) for field in ("instanceType", *STATED)}
        return not self._cut.isdisjoint({("provider",), ("pools",), *fields})


def _facts(name: str, pool: Pool, provider: ProviderFacts, hardware: NodeHardware) -> PoolFacts:
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
        uniform_mig=provider.uniform_mig,
        provider_taints=provider.taints,
    )
    return read_pool(query, load_catalog())


def _sharing(spec: SharingSpec) -> Sharing:
    return Sharing(
        mig=tuple(sorted(spec.mig.items())),
        time_slicing=spec.time_slicing or 1,
        mps=spec.mps or 1,
    )
