"""The weights that nodes keep: which pool has which, and by which claims namespaces read them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from charts_py.cluster_file.node_cache import CachedModel
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.platform import Platform

NODE_CACHE = "node-cache"
"""Name of the component, its namespace, its account, and the class of its volumes."""
MODELS_FOLDER = "/var/lib/kubelet/gpuplane/models"
"""On every node. The folder of the kubelet is where images joined the local disks at boot, and on
that disk the kubelet counts what pods write."""
CLAIM_PREFIX = f"{NODE_CACHE}."
CLAIMED = "1Gi"
"""What a claim requests: no claim can request more later, whereas the size of a model changes."""


@dataclass(frozen=True, slots=True)
class CachedVolume:
    """A model on the nodes of a pool, for a namespace."""

    namespace: str
    pool: str
    model: str
    size: str

    @property
    def claim(self) -> str:
        return claim_of(self.pool, self.model)

    @property
    def name(self) -> str:
        return f"{CLAIM_PREFIX}{self.namespace}.{self.pool}.{self.model}"


def claim_of(pool: str, model: str) -> str:
    """Return the name of a claim: one for each pool, since a volume cannot move to other nodes."""
    return f"{CLAIM_PREFIX}{pool}.{model}"


def cached_models(platform: Platform) -> Mapping[str, CachedModel]:
    cache = platform.cluster.serving.node_cache
    return dict(sorted(cache.models.items())) if cache else {}


def models_on(platform: Platform, pool: str) -> Mapping[str, CachedModel]:
    """Return what each node of a pool keeps."""
    return {name: one for name, one in cached_models(platform).items() if pool in one.pools}


def bytes_on(platform: Platform, pool: str) -> int:
    """Return what a pool's models take of the disk of each node, in bytes."""
    return sum(bytes_of(one.size) for one in models_on(platform, pool).values())


def cached_volumes(platform: Platform, namespace: str) -> Iterator[CachedVolume]:
    """Yield the volumes of a namespace, on the pools that it has GPUs of."""
    own = platform.namespace(namespace).spec.quota.pools
    for name, model in cached_models(platform).items():
        if namespace in model.namespaces:
            for pool in (each for each in model.pools if each in own):
                yield CachedVolume(namespace, pool, name, model.size)
