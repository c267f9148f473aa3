"""How a server gets at its weights: what it mounts, what it is told, and what cannot be."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature, has, since
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.name_rule import check_known
from charts_py.platform.node_cache import cached_models, claim_of
from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.image import is_refused
from gpuplane.workloads.serving.language_model import LanguageModel
from gpuplane.workloads.serving.reserve import GIB
from gpuplane.workloads.serving.weights import MOUNTED, Source

_OPTION = ("--weights",)
_VOLUME = "weights"
_BUFFER = 4 * 2**30
"""Bytes of the streamer of each process; it takes 40 GB otherwise, which count as the pod's."""


def weights(request: Request) -> Mounted:
    """Return what has weights in files, and what streams them out of a bucket."""
    model = request.served.model
    if model is None:
        return Mounted()
    match model.weights.source:
        case Source.IMAGE:
            reference = request.platform.mirrors.of(model.weights.image)
            image = {"reference": reference, **_pulled(request)}
            return _mounted("image", Because(image, "the node pulls it once for all pods"))
        case Source.NODES:
            name = claim_of(request.pool.name, model.weights.kept)
            claim = {"claimName": name, "readOnly": True}
            why = "the node has it already; else the pod waits until it is there"
            return _mounted("persistentVolumeClaim", Because(claim, why))
        case Source.BUCKET:
            return Mounted(env=tuple(_streamer(model.weights.account)))
    return Mounted()


def _mounted(kind: str, source: Tree) -> Mounted:
    mount = {"name": _VOLUME, "mountPath": MOUNTED, "readOnly": True}
    return Mounted(({"name": _VOLUME, kind: source},), (mount,))


def _pulled(request: Request) -> dict[str, Tree]:
    """Return the default of Kubernetes, which the controller of Rollouts does not fill in.

    It takes no pods with an image volume that lacks it (version 1.9.0).
    """
    return {"pullPolicy": "IfNotPresent"} if request.canary else {}


def _streamer(account: str) -> Iterator[Tree]:
    limit = {"name": "RUNAI_STREAMER_MEMORY_LIMIT", "value": str(_BUFFER)}
    yield Because(limit, "bytes that each process buffers, of 40 GB otherwise")
    if account:
        yield {"name": "AZURE_STORAGE_ACCOUNT_NAME", "value": account}


def weight_problems(request: Request) -> Iterator[Problem]:
    engine, model = request.served.engine, request.served.model
    if engine is None or model is None:
        return
    weights = model.weights
    if weights.source is Source.BUCKET and not engine.streams:
        yield Problem(_OPTION, f"{engine.title} reads no buckets", "a folder below /data, or an id")
    if weights.source is Source.NODES:
        yield from _kept_problems(request, model)
    if weights.source is not Source.IMAGE:
        return
    kubernetes = request.platform.cluster.kubernetes
    if not has(kubernetes, Feature.IMAGE_VOLUMES):
        what = f"Kubernetes {kubernetes} of {request.platform.name} mounts no images"
        yield Problem(
            _OPTION,
            what,
            f"Kubernetes {since(Feature.IMAGE_VOLUMES)}, or weights that are elsewhere",
        )
    if is_refused(request, request.platform.mirrors.of(weights.image)):
        registries = ", ".join(request.settings.registries)
        what = f"{weights.image} is not from an allowed registry"
        yield Problem(_OPTION, what, f"a copy of it below one of {registries}")


def _kept_problems(request: Request, model: LanguageModel) -> Iterator[Problem]:
    """Yield why the node that a pod gets does not have a model for it."""
    models, name = cached_models(request.platform), model.weights.kept
    if not models:
        what = f"the file of {request.platform.name} has no models that nodes keep"
        allowed = "a cluster with serving.nodeCache, or weights that are elsewhere"
        yield Problem(_OPTION, what, allowed)
        return
    yield from check_known("model", name, [f"{each}" for each in models], _OPTION)
    if name not in models:
        return
    kept, size = models[name], model.stored_bytes
    if request.namespace.name not in kept.namespaces:
        what = f"{request.namespace.name} may not read {name}"
        yield Problem(_OPTION, what, f"--namespace {' or '.join(kept.namespaces)}")
    if request.pool.name not in kept.pools:
        what = f"nodes of pool {request.pool.name} do not keep {name}"
        yield Problem(("--pool",), what, " or ".join(kept.pools))
    if size > bytes_of(kept.size):
        what = f"{size / GIB:.1f} GiB of weights are more than the {kept.size} of {name} on nodes"
        yield Problem(("--parameters",), what, "those of that model, by its --precision")
