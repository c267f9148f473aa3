"""What a provider of clusters defines, with its facts as `facts.toml` lists them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, get_type_hints

from msgspec import convert

from charts_py.cluster_file.fault import Problem
from charts_py.platform.name_rule import check_name
from charts_py.platform.provider_facts import ProviderFacts
from gpus.purchase import Purchase
from repair.settings import Remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from charts_py.cluster_file.cluster import Cluster
    from charts_py.cluster_file.provider import EksProvisioner, GkeProvisioner
    from charts_py.objects.document import Document
    from charts_py.platform.draft import Draft, DraftPool
    from charts_py.platform.name_rule import NameRule
    from charts_py.platform.platform import Platform
    from charts_py.platform.wave import Wave
    from gpus.provider import Provider


_FACTS = tomllib.loads((files(__package__) / "facts.toml").read_text(encoding="utf-8"))


def facts_of(provider: Provider) -> dict[str, Any]:
    """Return the facts of a provider that its table has, by their fields in `ProviderFacts`."""
    types, rows = get_type_hints(ProviderFacts), {"name": provider, **_FACTS[provider]}
    if rows.get("makes_nodes", True):
        rows["foreign_labels"] = sorted(_labels_but_of(provider))
    return {name: convert(value, types[name]) for name, value in rows.items()}


_WITH_FALLBACK = (Purchase.RESERVED, Purchase.SPOT)


def _labels_but_of(provider: Provider) -> set[str]:
    keys = {
        name: set().union(*rows.get("fixed_labels", {}).values()) for name, rows in _FACTS.items()
    }
    own = keys.pop(provider)
    # A key without a domain is anybody's.
    return {key for key in set().union(*keys.values()) - own if "/" in key}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provisioner:
    """One way of making nodes that a provider has."""

    objects: Callable[[Platform], Iterable[Document]]
    """Returns the objects that nodes are made from; raises RenderError where a pool lacks what the
    provider needs."""
    wave: Wave
    namespace: str
    """Namespace of the objects that name none."""
    namespaces: tuple[str, ...] = ()
    """Namespaces to make for the objects, whatever the pools: one that came and went with what
    stands in it would be deleted while Argo CD still prunes there."""
    component: str = "node-pools"
    """Name of the component."""
    takes_startup_taints: bool = False
    """Whether nodes can start with taints that are taken off later, which the autoscaler ignores
    when it plans, or can be told to."""
    keeps_idle: bool = False
    """Whether it always keeps warm nodes beside those in use by itself."""
    has_placeholders: bool = False
    """Whether placeholders do so, which a cluster autoscaler starts nodes for."""
    ignore_differences: tuple[Mapping[str, Any], ...] = ()
    """Fields of the objects that are left as they are, as Argo CD's `ignoreDifferences` lists."""
    mixes_machines: bool = False
    """Whether the nodes of a pool may be of several instance types."""
    falls_back: bool = False
    """Whether it buys nodes on demand where there is no capacity by the purchase of the pool."""
    remedy: Remedy | None = None
    """What repairs a node with a broken GPU from within the cluster; None where nothing does."""
    is_synced: bool = True
    """Whether Argo CD syncs the objects; else a person applies them, with a tool of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderDefinition(ProviderFacts):
    """A provider; each has a folder in `charts_py.providers`."""

    pool_name: Callable[[Draft, DraftPool], NameRule]
    """The names that a pool can have."""
    provisioners: Mapping[EksProvisioner | GkeProvisioner | None, Provisioner]
    """What can make the nodes, by its name in a cluster file; None where there is only one."""
    checks: tuple[Callable[[Draft], Iterable[Problem]], ...] = ()
    """Checks of the cluster file that no other provider has."""

    def provisioner(self, cluster: Cluster) -> Provisioner:
        """Return what makes the nodes of a cluster, which has the provider's settings."""
        settings = getattr(cluster, self.name.value, None)
        return self.provisioners[getattr(settings, "provisioner", None)]

    def problems(self, draft: Draft) -> Iterator[Problem]:
        """Yield a problem for each pool that it cannot name like this, and what its checks find."""
        for pool in draft.pools:
            yield from check_name(self.pool_name(draft, pool), pool.path, pool.name)
        if draft.has_provider_settings or not self.makes_nodes:
            yield from self._mixed_pools(draft)
        for check in self.checks:
            yield from check(draft)

    def _mixed_pools(self, draft: Draft) -> Iterator[Problem]:
        """Yield a problem for each pool whose nodes its provisioner does not make of several."""
        provisioner = self.provisioner(draft.cluster)
        named = getattr(getattr(draft.cluster, self.name.value, None), "provisioner", self.name)
        for pool in draft.pools:
            if pool.spec.instance_types and not provisioner.mixes_machines:
                what = f"{named} makes the nodes of a pool of one instance type"
                yield Problem((*pool.path, "instanceTypes"), what, "one, and a pool for each other")
            if not pool.spec.on_demand_fallback:
                continue
            path, purchase = (*pool.path, "onDemandFallback"), pool.spec.purchase
            if not provisioner.falls_back:
                what = f"{named} buys the nodes of a pool in one way"
                yield Problem(path, what, "false, and a pool for each purchase")
            elif Purchase.ON_DEMAND not in (usable := draft.purchases(pool)):
                what = f'"{Purchase.ON_DEMAND}" is not available for {pool.spec.instance_type}'
                yield Problem(path, what, "false")
            elif purchase not in _WITH_FALLBACK and draft.is_read((*pool.path, "purchase")):
                what = f'the purchase is "{purchase}"'
                taking = " or ".join(one for one in usable if one in _WITH_FALLBACK)
                yield Problem(path, what, f"only with purchase {taking}" if taking else "false")


def is_provisioned_by(draft: Draft, provisioner: EksProvisioner | GkeProvisioner) -> bool:
    """Return whether it makes the nodes; False where the provisioner could not be read."""
    block = draft.provider.name.value
    settings = getattr(draft.cluster, block)
    is_named = settings is not None and settings.provisioner is provisioner
    return is_named and draft.is_read((block, "provisioner"))
