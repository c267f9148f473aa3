"""Weights of models on the disks of nodes, for pods of teams that read them from there.

A daemon on each node of a pool downloads the pool's models, one after another, each into a folder
beside that it renames once all is there, and deletes those that the cluster file no longer lists.
Its namespace is privileged for the folder of the node; the container has no capabilities. In each
namespace that may read a model stands a claim of a `local` volume, which is bound beforehand, and
leads to the pool's nodes. A pod that comes first waits: the kubelet tries again, every two minutes
at last, until the folder is there (`MountDevice` in https://github.com/kubernetes/kubernetes,
pkg/volume/local/local.go). Policies of the API server have pods read alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from charts_py.cluster_file.model_source import is_bucket
from charts_py.cluster_file.node_cache import CachedModel
from charts_py.cluster_file.quantity import bytes_of
from charts_py.components.admission_policy import policy_objects
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.node_cache.checks import check_node_cache
from charts_py.components.node_cache.claim_policies import KEPT, READ_ONLY
from charts_py.components.node_cache.volumes import volume_claims, volumes
from charts_py.components.object_table import read_objects, requests_of
from charts_py.components.team.network_policies import bucket_client_egress
from charts_py.objects.document import Document
from charts_py.objects.pods import secret_references, tolerations_of
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.node_cache import MODELS_FOLDER, NODE_CACHE, bytes_on, models_on
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL
from policies.image import registry_of
from policies.quantity import format_bytes
from policies.settings import PodSecurity

_IMAGE = "docker.io/kserve/storage-initializer:v0.20.0"
"""It reads all these sources, each as whom its pod is
(https://github.com/kserve/kserve/blob/v0.20.0/python/storage)."""
_DOWNLOADER = "/storage-initializer/scripts/initializer-entrypoint"
_READY = "/tmp/ready"  # noqa: S108 # an emptyDir


def _pools(platform: Platform) -> tuple[PlatformPool, ...]:
    return tuple(pool for pool in platform.pools if models_on(platform, pool.name))


def _daemons(platform: Platform) -> Iterator[Document]:
    cache = platform.cluster.serving.node_cache
    egress = bucket_client_egress(platform, cache.egress if cache else ())
    yield from read_objects(__package__, name=NODE_CACHE, egress=[*egress])
    for pool in _pools(platform):
        yield from _daemon_set(platform, pool)


def _daemon_set(platform: Platform, pool: PlatformPool) -> Iterator[Document]:
    models = models_on(platform, pool.name)
    labels = {"app.kubernetes.io/name": NODE_CACHE, POOL: pool.name}
    return read_objects(
        __package__,
        "daemon_set",
        name=NODE_CACHE,
        pool=pool.name,
        labels=labels,
        pod_labels={**labels, **platform.provider.identity_labels},
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
        priority_class=platform.cluster.platform_priority,
        selector={POOL: pool.name},
        tolerations=tolerations_of(platform.daemon_taints((pool,))),
        image=platform.mirrors.of(_IMAGE),
        command=_command(models),
        ready=_READY,
        disk=format_bytes(bytes_on(platform, pool.name)),
        folder=MODELS_FOLDER,
    )


def _command(models: Mapping[str, CachedModel]) -> Sequence[str]:
    script = (files(__package__) / "keep_models.sh").read_text(encoding="utf-8")
    told = ((name, _address(one.source), str(bytes_of(one.size))) for name, one in models.items())
    arguments = ("/models", _READY, _DOWNLOADER, *(word for each in told for word in each))
    return ["/bin/sh", "-c", script, NODE_CACHE, *arguments]


def _address(source: str) -> str:
    """Return a source as the image is told it.

    Without the slash at its end, a folder of S3 would have those whose names begin alike.
    """
    if not is_bucket(source):
        return f"hf://{source.replace('@', ':')}"
    return source if source.startswith("https:") else f"{source.rstrip('/')}/"


def _parts(platform: Platform) -> Iterator[Component]:
    yield Component(
        name=f"{NODE_CACHE}-volumes",
        # Those of claims: Argo CD waits for a claim until it is bound.
        wave=Wave.TEAMS,
        namespace=NODE_CACHE,
        objects=lambda: (*volumes(platform), *policy_objects((READ_ONLY, KEPT))),
    )
    yield Component(
        name=NODE_CACHE,
        # Last: a daemon is ready once it has downloaded everything.
        wave=Wave.EXTENSIONS,
        namespace=NODE_CACHE,
        objects=lambda: tuple(_daemons(platform)),
    )


def _contribution(platform: Platform) -> Contribution:
    asked = requests_of(__package__, "daemon_set")
    return Contribution(
        daemons=tuple(
            (pool.name, {"cpu": asked["cpu"], "memory": asked["memory"]})
            for pool in _pools(platform)
        ),
        teams=volume_claims(platform),
    )


NODE_CACHE_DEFINITION = Definition(
    name=NODE_CACHE,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.serving.node_cache is not None,
    fields=(
        "serving.nodeCache",
        "pools",
        "teams",
        "network.dnsAddress",
        "imagePullSecrets",
        "registries",
    ),
    wave=Wave.EXTENSIONS,
    namespace=PlatformNamespace(NODE_CACHE, PodSecurity.PRIVILEGED),
    parts=_parts,
    registries=lambda _: (registry_of(_IMAGE),),
    checks=(check_node_cache,),
    contributes=_contribution,
)
