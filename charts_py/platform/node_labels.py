"""The labels that a provider sets on the nodes of a pool, as its table has them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.pool import Pool
from charts_py.platform.provider_facts import LabelNames, LabelValues, NodeHardware, ProviderFacts
from gpus.label_values import LIKE
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


_OF_ONE_POOL = ("{pool}", "{node_pool}", "{instance_type}", "{gpu-")
"""What values begin with that no node without GPUs has."""


def provider_labels(
    provider: ProviderFacts, cluster: Cluster, name: str, pool: Pool, hardware: NodeHardware
) -> Mapping[str, tuple[str, ...]]:
    """Return the labels of a pool's nodes with the values that they can have.

    A label whose value follows from nothing in the cluster file is left out.
    """
    named = tuple(f"{LIKE}{one}" for one in pool.match.hostnames)
    hostname = {"kubernetes.io/hostname": named or ("a name of its own",)}
    if not provider.makes_nodes:
        return hostname
    known = _known(provider, cluster, name, pool, hardware)
    table = _table(provider.fixed_labels, provider, cluster)
    return {**hostname, **_filled({**_OF_CLOUDS, **table}, pool, known)}


def passing_labels(provider: ProviderFacts, cluster: Cluster, pool: Pool) -> Mapping[str, str]:
    """Return the labels that nodes of a pool have at first, and the provider changes."""
    filled = _filled(_table(provider.passing_labels, provider, cluster), pool, {})
    return {key: values[0] for key, values in filled.items() if len(values) == 1 and values[0]}


def pool_labels(provider: ProviderFacts, cluster: Cluster) -> tuple[str, ...]:
    """Return the labels that other nodes can have, with other values than those with GPUs."""
    own = _table(provider.fixed_labels, provider, cluster)
    table = {**_OF_CLOUDS, **own} if provider.makes_nodes else {}
    return tuple(sorted(key for key, one in table.items() if str(one).startswith(_OF_ONE_POOL)))


def _filled(
    table: Mapping[str, LabelValues], pool: Pool, known: LabelNames
) -> Mapping[str, tuple[str, ...]]:
    found = {}
    purchases = (pool.purchase, *((Purchase.ON_DEMAND,) if pool.on_demand_fallback else ()))
    for key, stated in table.items():
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
    fixed = provider.fixed_labels
    tables, own = fixed.values(), _table(fixed, provider, cluster)
    yield from {key for table in tables for key in table if key not in own}


def purchases_by_label(providers: Iterable[ProviderFacts]) -> Mapping[tuple[str, str], Purchase]:
    """Return how nodes are bought that have a label with a value, as far as that tells it.

    Of several purchases with the same value it is the first.
    """
    tables = (table for provider in providers for table in provider.fixed_labels.values())
    return {
        (key, values[0]): purchase
        for key, stated in chain.from_iterable(table.items() for table in tables)
        for purchase, one in (reversed(stated.items()) if isinstance(stated, dict) else ())
        for values in [_values(one, {})]
        if "" not in values
    }


def instance_types(pool: Pool) -> tuple[str, ...]:
    return tuple(name for name in (pool.instance_type, *pool.instance_types) if name)


def _table(
    tables: Mapping[str, Mapping[str, LabelValues]], provider: ProviderFacts, cluster: Cluster
) -> Mapping[str, LabelValues]:
    maker = getattr(getattr(cluster, provider.name.value, None), "provisioner", _ANY)
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
        "zone": pool.zones or (f"a zone of {cluster.region}",),
        "instance_type": instance_types(pool),
        "gpus": str(hardware.gpus),
        **(own(cluster, name, pool, hardware) if own else {}),
    }
