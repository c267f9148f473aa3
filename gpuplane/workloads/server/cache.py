"""Where a server keeps weights, and what it compiles, for its next start."""

from gpuplane.workloads.mounted import Mounted, claim_name
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request

VOLUME, _PATH = "cache", "/cache"


def cache(request: Request) -> Mounted:
    engine = request.served.engine
    kept = engine.cache if engine else {}
    why = "weights are read once, and what is compiled is compiled once"
    env = tuple(
        Because({"name": name, "value": f"{_PATH}/{folder}"}, why) for name, folder in kept.items()
    )
    mount = {"name": VOLUME, "mountPath": _PATH}
    return Mounted(({"name": VOLUME, **_source(request)},), (mount,), env)


def _source(request: Request) -> dict[str, Tree]:
    if request.checkpoint is None:
        return {"emptyDir": Because({}, "each pod reads its weights anew")}
    claim = {"claimName": claim_name(request, VOLUME)}
    return {"persistentVolumeClaim": Because(claim, "it outlives the pods")}
