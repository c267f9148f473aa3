"""How long a server may take to start, and the probes that wait for it."""

from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.disaggregation import engine_ports
from gpuplane.workloads.serving.weights import Source

_GB = 10**9
_BANDWIDTH = _GB // 8
"""Bytes a second of weights: a little less than the 125 MiB that a gp3 volume reads by default
(https://docs.aws.amazon.com/ebs/latest/userguide/general-purpose.html)."""
_LOCAL_BANDWIDTH = 66 * _GB // 100
"""That of one local SSD of Google, which are slower than those of others
(https://cloud.google.com/compute/docs/disks/local-ssd#performance)."""
_PROCESS = 600
"""Seconds that a server takes for the rest, such as compiling, at most."""
_PERIOD = 10
_ANSWER = 10
"""Seconds for an answer: SGLang waits one before each, which is the default of probes, and replicas
that are busy answer late, all of them at once."""


def start_seconds(request: Request) -> int:
    model = request.served.model
    return _PROCESS + (-(-model.stored_bytes // _bandwidth(request)) if model else 0)


def _bandwidth(request: Request) -> int:
    """Return bytes a second of the disk that weights are read from."""
    model, provider = request.served.model, request.platform.provider
    is_kept = model is not None and model.weights.source is Source.NODES
    is_local = provider.joins_disks(request.pool.hardware, request.platform.driver_owner)
    return _LOCAL_BANDWIDTH if is_kept and is_local else _BANDWIDTH


def _why(request: Request) -> str:
    model = request.served.model
    if model is None:
        return f"{_PROCESS} seconds, in which it loads what it serves"
    size = model.stored_bytes / _GB
    return (
        f"{start_seconds(request)} seconds: {size:.1f} GB of weights at "
        f"{_bandwidth(request) / _GB} GB/s, and {_PROCESS} for the rest"
    )


def probes(request: Request) -> dict[str, Tree]:
    """Return the probes of a server that is asked over HTTP, or else by a connection."""
    engine = request.served.engine
    live, ready = (engine.live, engine.ready) if engine else (None, None)
    failures = -(-start_seconds(request) // _PERIOD)
    port = next(iter(engine_ports(request)), "http")
    startup = {**_asked(ready, port), "failureThreshold": failures}
    liveness = {**_asked(live, port), "failureThreshold": 6}
    return {
        "startupProbe": Because(startup, _why(request)),
        "readinessProbe": Because(_asked(ready, port), "the Service leads to it once it answers"),
        "livenessProbe": Because(liveness, "one that hangs for a minute is started again"),
    }


def _asked(path: str | None, port: str) -> dict[str, Tree]:
    asked: dict[str, Tree] = (
        {"httpGet": {"path": path, "port": port}} if path else {"tcpSocket": {"port": port}}
    )
    return {**asked, "periodSeconds": _PERIOD, "timeoutSeconds": _ANSWER}


def new_pod_seconds(request: Request) -> int:
    """Return the seconds until a new pod answers, with those for a node and the image."""
    return start_seconds(request) + _PROCESS


def progress_deadline(request: Request) -> dict[str, Tree]:
    seconds = new_pod_seconds(request)
    why = "a pod that still starts is no failed rollout; the rest is for a node and the image"
    return {"progressDeadlineSeconds": Because(seconds, why)}


def start_limit(request: Request) -> list[Tree]:
    engine = request.served.engine
    if engine is None or engine.start_limit is None:
        return []
    variable = {"name": engine.start_limit, "value": str(start_seconds(request))}
    return [Because(variable, "it gives up after 600 seconds otherwise")]
