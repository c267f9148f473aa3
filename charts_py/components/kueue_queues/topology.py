"""Where the nodes of a pool stand, as Kueue knows it."""

from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.pool_topology import topology_levels


def topology(platform: Platform, pool: PlatformPool) -> Document:
    """Return the Topology of a pool that has one, of its name."""
    levels = topology_levels(pool.spec, pool.hardware, platform.provider)
    spec = {"levels": [{"nodeLabel": level} for level in levels]}
    return object_of(API_VERSION, "Topology", ObjectMeta(pool.name), {"spec": spec})
