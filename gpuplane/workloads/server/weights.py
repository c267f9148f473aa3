"""How a server gets at its weights: what it mounts, what it is told, and what cannot be."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature, has, since
from gpuplane.workloads.mounted import Mounted
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.image import is_refused
from gpuplane.workloads.serving.weights import IN_IMAGE, Source

_OPTION = ("--weights",)
_VOLUME = "weights"
_BUFFER = 4 * 2**30
"""Bytes of the streamer of each process; it takes 40 GB otherwise, which count as the pod's."""


def weights(request: Request) -> Mounted:
    """Return the image with weights, and what streams them out of a bucket."""
    model = request.served.model
    if model is None:
        return Mounted()
    if model.weights.source is Source.IMAGE:
        image = {"reference": request.platform.mirrors.of(model.weights.image), **_pulled(request)}
        volume = {"name": _VOLUME, "image": Because(image, "the node pulls it once for all pods")}
        mount = {"name": _VOLUME, "mountPath": IN_IMAGE, "readOnly": True}
        return Mounted((volume,), (mount,))
    if model.weights.source is Source.BUCKET:
        return Mounted(env=tuple(_streamer(model.weights.account)))
    return Mounted()


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
