"""The cluster file that comes nearest to what a cluster holds."""

from collections import Counter
from collections.abc import Iterator

from charts_py.cluster_file.queues import PLATFORM_PRIORITY, default_ladder
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented, one_line, written
from gpuplane.adoption.found_object import AdoptionError, Inventory
from gpuplane.adoption.nodes import FoundNode, found_nodes
from gpuplane.adoption.platform_fields import (
    addon_fields,
    driver_fields,
    lost_settings,
    network_fields,
    operator_settings,
    priority_fields,
)
from gpuplane.adoption.pools import FoundPools, found_pools, pools_fields
from gpuplane.adoption.provider_fields import place_of, provider_fields
from gpuplane.adoption.quotas import pool_offer
from gpuplane.adoption.sharing import sharing_config
from gpuplane.adoption.teams import FoundTeams, found_teams, teams_fields
from gpus.catalog import load_catalog

FIRST_VERSION = "0.1.0-rc.1"
"""The version of a cluster that never had one; with a suffix it may still change."""
_SCHEMA = "# yaml-language-server: $schema=../schemas/cluster.schema.json"


def cluster_file(inventory: Inventory) -> str:
    """Return the text of the cluster file, each value with the object that states it.

    What nothing states is left out, with a comment, for the parser to ask for. Raises AdoptionError
    where there are no GPUs, or objects of two clusters.
    """
    catalog, nodes = load_catalog(), found_nodes(inventory)
    place = place_of(inventory, nodes)
    provider, settings = PROVIDERS[place.provider], operator_settings(inventory)
    pools = found_pools(
        inventory, nodes, place.provider, catalog, sharing_config(inventory, settings)
    )
    if not pools.pools:
        raise AdoptionError(_without_gpus(inventory, nodes))
    offers = [pool_offer(pool, place.provider) for pool in pools.pools]
    teams = found_teams(inventory, {name for offer in offers for name in offer.resources})
    ladder = priority_fields(inventory)
    for_teams = [name for name in ladder.value or default_ladder() if name != PLATFORM_PRIORITY]
    fields = {
        "provider": Commented(place.provider.value),
        "region": place.region,
        "kubernetes": place.kubernetes,
        "version": Commented(FIRST_VERSION, "what a first synth renders"),
        **provider_fields(place.provider, inventory, nodes),
        **network_fields(inventory, provider),
        **driver_fields(settings, provider),
        **lost_settings(settings),
        "pools": Commented(pools_fields(pools, place.provider)),
        **({"priorities": ladder} if ladder.value or ladder.notes else {}),
        "teams": Commented(teams_fields(teams, offers, for_teams) or None),
        **addon_fields(inventory, settings),
    }
    return "\n".join([*_head(inventory, pools, teams), *_spaced(fields), ""])


def _spaced(fields: dict[str, Commented]) -> Iterator[str]:
    for name, field in fields.items():
        lines = list(written({name: field}))
        yield from ([""] if len(lines) > 1 or field.notes else [])
        yield from lines


def _head(inventory: Inventory, pools: FoundPools, teams: FoundTeams) -> Iterator[str]:
    yield _SCHEMA
    yield f"# Imported from {one_line(inventory.source)}."
    yield "# What states a value stands behind it, or behind what holds it."
    left = {"node pools without GPUs": pools.without_gpus, "namespaces": teams.without_team}
    for what, names in left.items():
        if names:
            yield f"# Left as they are: {what} {one_line(', '.join(names))}."


def _without_gpus(inventory: Inventory, nodes: tuple[FoundNode, ...]) -> str:
    kinds = Counter(found.kind for found in inventory.objects)
    read = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    remedy = (
        "kubectl get nodes -o yaml shows labels and capacity of nodes with GPUs"
        if not nodes
        else "GPUs show by a resource such as nvidia.com/gpu or a label such as "
        "nvidia.com/gpu.product"
    )
    return f"{inventory.source}: no node and no node pool with GPUs among {read}; {remedy}"
