"""The labels that a provider sets on the nodes of a pool, as its table has them."""

from collections.abc import Iterator, Mapping
from itertools import chain

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.pool import Pool
from charts_py.platform.provider_facts import LabelNames, LabelValues, NodeHardware, ProviderFacts
from gpus.purchase import Purchase

_ANY = "any"
"""Stands in a table for whatever makes the nodes."""
_OF_CLOUDS: Mapping[str, str] = {
    "node.kubernetes.io/instance-type": "{instance_type}",
    "beta.kubernetes.io/instance-type": "{instance_type}",
    "topology.kubernetes.io/region": "{region}",
    "failure-domain.beta.kubernetes.io/region": "{region}",
    "topology.kubernetes.io/zone": "{zone}",
    "failure-domain.beta.kubernetes.io/zone": "{zone}",
}
"""Labels that the controller of any cloud sets
(https://github.com/kubernetes/cloud-provider, controllers/node/node_controller.go)."""


def provider_labels(
    provider: ProviderFacts, cluster: Cluster, name: str, pool: Pool, hardware: NodeHardware
) -> Mapping[str, tuple[str, ...]]:
    """Return the labels of a pool's nodes with the values that they can have.

    A label whose value follows from nothing in the cluster file is left out.
    """
    if not provider.makes_nodes:
        return {}
    known = _known(provider, cluster, name, pool, hardware)
    found = {}
    purchases = (pool.purchase, *((Purchase.ON_DEMAND,) if pool.on_demand_fallback else ()))
    for key, stated in {**_OF_CLOUDS, **_table(provider, cluster)}.items():
        by_purchase = stated if isinstance(stated, Mapping) else dict.fromkeys(purchases, stated)
        each = [by_purchase.get(purchase, "") for purchase in purchases]
        found[key] = tuple(dict.fromkeys(chain.from_iterable(_values(one, known) for one in each)))
    return {key: values for key, values in found.items() if values}


def _values(stated: str | tuple[str, ...], known: LabelNames) -> tuple[str, ...]:
    if isinstance(stated, str) and stated.startswith("{"):
        stated = known.get(stated.strip("{}"), ())
    return (stated,) if isinstance(stated, str) else stated


def absent_labels(provider: ProviderFacts, cluster: Cluster) -> Iterator[str]:
    """Yield the labels of other providers, and of what makes the nodes of other clusters."""
    yield from provider.foreign_labels
    tables, own = provider.fixed_labels.values(), _table(provider, cluster)
    yield from {key for table in tables for key in table if key not in own}


def instance_types(pool: Pool) -> tuple[str, ...]:
    return tuple(name for name in (pool.instance_type, *pool.instance_types) if name)


def _table(provider: ProviderFacts, cluster: Cluster) -> Mapping[str, LabelValues]:
    maker = getattr(getattr(cluster, provider.name.value, None), "provisioner", _ANY)
    tables = provider.fixed_labels
    return {**tables.get(_ANY, {}), **tables.get(str(maker), {})}


def _known(
    provider: ProviderFacts, cluster: Cluster, name: str, pool: Pool, hardware: NodeHardware
) -> LabelNames:
    settings = getattr(cluster, provider.name.value, None)
    own = provider.label_values
    return {
        "pool": name,
        "cluster": getattr(settings, "cluster_name", ()),
        "region": cluster.region,
        "zone": pool.zones,
        "instance_type": instance_types(pool),
        "gpus": str(hardware.gpus),
        **(own(cluster, name, pool, hardware) if own else {}),
    }
