"""Pods that keep nodes warm beside those in use, where a cluster autoscaler makes them.

Each holds all GPUs of a node. A pod that needs them preempts it and starts at once; the placeholder
that its Deployment makes anew waits, and the autoscaler starts a node for it, up to the maximum of
the pool.
"""

from collections.abc import Iterator
from functools import partial

from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.objects.document import Document
from charts_py.platform.contribution import Contribution
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.wave import Wave
from charts_py.providers.placeholder import (
    PREFIX,
    PRIORITY_CLASS,
    placeholder_class,
    placeholder_deployment,
)
from charts_py.providers.registry import held_pools

NAME = "warm"


def _parts(platform: Platform) -> Iterator[Component]:
    """Yield an Application a pool: a sync that prunes would wait until no placeholder waits."""
    yield Component(
        name=NAME,
        wave=Wave.NODE_FEATURES,
        namespace=NODE_POOLS_NAMESPACE,
        objects=lambda: (placeholder_class(),),
    )
    for pool in held_pools(platform):
        yield Component(
            name=f"{PREFIX}{pool.name}",
            wave=Wave.NODE_FEATURES,
            namespace=NODE_POOLS_NAMESPACE,
            objects=partial(_deployment, pool, platform),
        )


def _deployment(pool: PlatformPool, platform: Platform) -> tuple[Document, ...]:
    return (placeholder_deployment(pool, platform),)


WARM_NODES = Definition(
    name=NAME,
    description=__doc__,
    appears="once for each pool of which placeholders keep nodes warm (docs/priorities.md)",
    is_wanted=lambda platform: bool(held_pools(platform)),
    fields=("pools", "priorities", "teams", "queues.engine", "imagePullSecrets", "registries"),
    depends_on=("node-pools",),
    wave=Wave.NODE_FEATURES,
    namespace=NODE_POOLS_NAMESPACE,
    parts=_parts,
    contribution=Contribution(reserved_priority_classes=(PRIORITY_CLASS,)),
)
