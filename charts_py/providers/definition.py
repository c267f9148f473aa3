"""What defines a provider: what is known of it, how it makes nodes, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.platform.name_rule import check_name
from charts_py.platform.provider_facts import ProviderFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from charts_py.cluster_file.cluster import Cluster
    from charts_py.cluster_file.fault import Problem
    from charts_py.platform.draft import Draft, DraftPool
    from charts_py.platform.name_rule import NameRule
    from charts_py.providers.provisioner import Provisioner


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderDefinition(ProviderFacts):
    """A provider; each has a folder in `charts_py.providers`."""

    pool_name: Callable[[Draft, DraftPool], NameRule]
    """The names that a pool can have."""
    provisioner: Callable[[Cluster], Provisioner]
    """What makes the nodes of a cluster."""
    checks: tuple[Callable[[Draft], Iterable[Problem]], ...] = ()
    """Checks of the cluster file that no other provider has."""

    def problems(self, draft: Draft) -> Iterator[Problem]:
        """Yield a problem for each pool that it cannot name like this, and what its checks find."""
        for pool in draft.pools:
            yield from check_name(self.pool_name(draft, pool), pool.path, pool.name)
        for check in self.checks:
            yield from check(draft)
