"""Node pools that would start with more nodes than they may have."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.gke.initial_nodes import initial_nodes_per_zone, zones_of
from charts_py.providers.provisioned_by import is_provisioned_by


def check_initial_nodes(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose kept nodes, rounded up in each zone, exceed its maximum.

    Those that are kept beyond the maximum themselves are a problem of any provider.
    """
    if not is_provisioned_by(draft, GkeProvisioner.CONFIG_CONNECTOR):
        return
    if not all(draft.is_read(path) for path in (("region",), ("gke", "location"))):
        return
    for pool in draft.pools:
        is_read = draft.is_whole((*pool.path, "nodes")) and draft.is_whole((*pool.path, "zones"))
        if is_read and pool.spec.nodes.kept <= pool.spec.nodes.max:
            yield from _beyond_maximum(draft, pool)


def _beyond_maximum(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    zones = zones_of(pool.spec, draft.cluster)
    per_zone = initial_nodes_per_zone(pool.spec, draft.cluster)
    if per_zone * zones > pool.spec.nodes.max:
        what = (
            f"{pool.spec.nodes.max}, but the pool starts with {per_zone} in each of {zones} zones"
        )
        allowed = f"at least {per_zone * zones}, or fewer zones in pools.{pool.name}.zones"
        yield Problem((*pool.path, "nodes", "max"), what, allowed)
