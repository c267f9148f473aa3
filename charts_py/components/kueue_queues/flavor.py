"""A pool as Kueue knows it."""

from typing import Any

from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.tolerations import taint_objects, tolerations_of
from charts_py.platform.platform import PlatformPool
from gpus.platform_names import GPU_MODEL, INTERCONNECT, NVLINK, POOL, PURCHASE

_ASKED_FOR = (POOL, PURCHASE, GPU_MODEL, INTERCONNECT, NVLINK)
"""Labels of nodes by which pods choose a pool. Kueue heeds a node selector only where some flavor
has its label."""


def resource_flavor(pool: PlatformPool) -> Document:
    """Return the ResourceFlavor of a pool.

    The label of the pool is on the nodes of no other, so that no GPU is counted twice
    (https://github.com/kubernetes-sigs/kueue/issues/10659). The flavor brings the tolerations that
    every pod on these nodes needs, since Kueue reads the pods of a job before admission has fixed
    them. That of spot nodes a job brings itself.
    """
    facts = pool.facts
    spot = (facts.spot_taint,) if facts.spot_taint else ()
    spec: dict[str, Any] = {
        "nodeLabels": {label: facts.labels[label] for label in _ASKED_FOR if label in facts.labels},
        **({"nodeTaints": taint_objects(spot)} if spot else {}),
        "tolerations": tolerations_of(taint for taint in facts.taints if taint not in spot),
        **({"topologyName": pool.name} if pool.spec.topology is not None else {}),
    }
    return object_of(API_VERSION, "ResourceFlavor", ObjectMeta(pool.name), {"spec": spec})
