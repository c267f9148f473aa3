"""A volume for each namespace and pool that reads a model, and the claim that it is kept for."""

from collections.abc import Iterator, Mapping

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import TeamAdditions
from charts_py.platform.node_cache import (
    CLAIMED,
    MODELS_FOLDER,
    NODE_CACHE,
    CachedVolume,
    cached_volumes,
)
from charts_py.platform.platform import Platform
from gpus.platform_names import POOL

_MODES = ["ReadOnlyMany"]


def volumes(platform: Platform) -> Iterator[Document]:
    for namespace in platform.namespaces:
        for each in cached_volumes(platform, namespace.name):
            metadata = ObjectMeta(each.name)
            yield object_of("v1", "PersistentVolume", metadata, {"spec": _volume(each)})


def _volume(each: CachedVolume) -> Mapping[str, object]:
    on_pool = {"key": POOL, "operator": "In", "values": [each.pool]}
    return {
        "capacity": {"storage": each.size},
        "accessModes": _MODES,
        # No claim of another namespace gets it, whatever volume that names.
        "claimRef": {"namespace": each.namespace, "name": each.claim},
        "local": {"path": f"{MODELS_FOLDER}/{each.model}"},
        "mountOptions": ["ro"],
        "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [on_pool]}]}},
        "persistentVolumeReclaimPolicy": "Retain",
        # There is no such class: nothing makes volumes of it.
        "storageClassName": NODE_CACHE,
    }


def volume_claims(platform: Platform) -> Mapping[str, Mapping[str, TeamAdditions]]:
    """Return the claims by namespace."""
    names = [namespace.name for namespace in platform.namespaces]
    claims = {name: tuple(map(_claim, cached_volumes(platform, name))) for name in names}
    return {
        name: {NODE_CACHE: TeamAdditions(objects=each)} for name, each in claims.items() if each
    }


def _claim(each: CachedVolume) -> Document:
    spec = {
        "accessModes": _MODES,
        "resources": {"requests": {"storage": CLAIMED}},
        "storageClassName": NODE_CACHE,
        "volumeName": each.name,
    }
    metadata = ObjectMeta(each.claim, each.namespace)
    return object_of("v1", "PersistentVolumeClaim", metadata, {"spec": spec})
