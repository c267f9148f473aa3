"""Where a server answers, and what leads there."""

from collections.abc import Iterator, Mapping, Sequence

from charts_py.cluster_file.addons import Prometheus
from gpuplane.workloads.metadata import companion
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.disaggregation import engine_ports
from gpuplane.workloads.serving.engine import Metrics

REVISION = "rollouts-pod-template-hash"
"""Label by which Argo Rollouts tells the pods of two revisions apart."""
_MONITORS = {
    Prometheus.OPERATOR: ("monitoring.coreos.com/v1", "PodMonitor", "podMetricsEndpoints"),
    Prometheus.GOOGLE_MANAGED: ("monitoring.googleapis.com/v1", "PodMonitoring", "endpoints"),
}
"""https://github.com/GoogleCloudPlatform/prometheus-engine, doc/api.md at v0.17.2."""
_METRICS = "metrics"
_USUAL_PORT = 8080


def ports(request: Request) -> Mapping[str, int]:
    engine = request.served.engine
    return engine.ports if engine else {"http": request.served.port or _USUAL_PORT}


def container_ports(request: Request) -> dict[str, Tree]:
    own = engine_ports(request) or ports(request)
    return {"ports": [{"name": name, "containerPort": port} for name, port in own.items()]}


def service(request: Request, selector: Mapping[str, str], name: str) -> Iterator[Tree]:
    """Yield the Service of all ports but that of metrics, which Prometheus asks each pod for."""
    served = {name: port for name, port in ports(request).items() if name != _METRICS}
    listed = [
        {"name": name, "port": 80 if name == "http" else port, "targetPort": name}
        for name, port in served.items()
    ]
    yield service_to(request, selector, listed, name)


def service_to(
    request: Request, selector: Mapping[str, str], listed: Sequence[Tree], name: str
) -> Tree:
    spec = {"selector": Because(selector, "pods that answer requests"), "ports": listed}
    return companion(request, "v1", "Service", spec, name)


def leader_service(request: Request) -> str:
    """Return the name of the Service of leaders: LeaderWorkerSet makes one of its own name."""
    return f"{request.name}-leader"


def pod_monitor(request: Request, selector: Mapping[str, str]) -> Iterator[Tree]:
    engine = request.served.engine
    if engine is not None and engine.metrics is not None:
        why = f"where {engine.title} serves its metrics"
        for monitor in metrics_monitor(request, selector, engine.metrics, why):
            if request.canary and request.platform.monitoring.has_operator:
                told_apart = Because([REVISION], "old and new replicas are told apart")
                monitor["spec"]["podTargetLabels"] = told_apart
            yield monitor


def metrics_monitor(
    request: Request,
    selector: Mapping[str, str],
    metrics: Metrics,
    why: str,
    name: str | None = None,
) -> Iterator[Tree]:
    """Yield what has Prometheus collect metrics of pods; nothing where others decide on that."""
    collected = request.platform.monitoring
    if collected.prometheus is None:
        return
    version, kind, field = _MONITORS[collected.prometheus]
    endpoint = {"port": metrics.port, "path": metrics.path, "interval": collected.interval}
    spec = {"selector": {"matchLabels": selector}, field: Because([endpoint], why)}
    monitor = companion(request, version, kind, spec, name)
    monitor["metadata"]["labels"] |= collected.labels
    yield monitor


def budget(request: Request, selector: Mapping[str, str]) -> Iterator[Tree]:
    """Yield what keeps replicas from going at once; of a single one it would keep none."""
    if request.copies == 1:
        return
    why = "nodes are drained one after another, so that the other replicas answer"
    spec = {"maxUnavailable": Because(1, why), "selector": {"matchLabels": selector}}
    yield companion(request, "policy/v1", "PodDisruptionBudget", spec)
