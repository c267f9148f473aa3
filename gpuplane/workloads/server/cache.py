"""Where a server keeps weights, and what it compiles, for its next start."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.quantity import bytes_of
from gpuplane.workloads.mounted import Mounted, claim_name
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.serving.language_model import LanguageModel
from gpuplane.workloads.serving.reserve import GIB
from gpuplane.workloads.serving.weights import Source

VOLUME, _PATH = "cache", "/cache"
_COMPILED = 20
"""GiB for what an engine compiles, and for the rest of a repository of weights."""


def cache_size(model: LanguageModel) -> str:
    weights = -(-model.stored_bytes // GIB) if model.weights.source is Source.HUB else 0
    return f"{weights + _COMPILED}Gi"


def cache(request: Request) -> Mounted:
    engine = request.served.engine
    kept = engine.cache if engine else {}
    why = "weights are read once, and what is compiled is compiled once"
    env = tuple(
        Because({"name": name, "value": f"{_PATH}/{folder}"}, why) for name, folder in kept.items()
    )
    mount = {"name": VOLUME, "mountPath": _PATH}
    return Mounted(({"name": VOLUME, **_source(request)},), (mount,), env)


def disk(request: Request) -> str | None:
    """Return what each pod writes on the disk of its node; None with a volume."""
    model = request.served.model
    return cache_size(model) if model is not None and request.checkpoint is None else None


def cache_problems(request: Request) -> Iterator[Problem]:
    """Yield that a volume is smaller than what is downloaded onto it."""
    model = request.served.model
    if model is None or request.checkpoint is None or model.weights.source is not Source.HUB:
        return
    if bytes_of(request.checkpoint) < model.stored_bytes:
        what = f"{request.checkpoint} do not hold {model.stored_bytes / GIB:.1f} GiB of weights"
        yield Problem((f"--{VOLUME}",), what, f"{cache_size(model)}, or none")


def disk_problems(request: Request) -> Iterator[Problem]:
    size, quota = disk(request), request.namespace.spec.quota.ephemeral_storage
    if size is None or quota is None or bytes_of(size) * request.pods <= bytes_of(quota):
        return
    what = (
        f"{request.pods} pods with {size} on the disks of their nodes are more than the quota of "
        f"{request.namespace.name}, which is {quota}"
    )
    yield Problem((f"--{VOLUME}",), what, "the size of a volume, or fewer --replicas")


def _source(request: Request) -> dict[str, Tree]:
    if request.checkpoint is None:
        size = disk(request)
        limit: Tree = {"sizeLimit": size} if size else {}
        return {"emptyDir": Because(limit, "each pod reads its weights anew")}
    claim = {"claimName": claim_name(request, VOLUME)}
    return {"persistentVolumeClaim": Because(claim, "it outlives the pods")}
