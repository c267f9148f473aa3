"""How KEDA scales a server: by the requests that its replicas have, of what each takes at once.

A replica that is let go takes its time to come back, so that none goes sooner than that, or an
hour. Without metrics nothing changes: KEDA would otherwise read their lack as no requests
(`ignoreNullValues` in https://keda.sh/docs/2.20/scalers/prometheus/).
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from gpuplane.workloads.kind import not_installed
from gpuplane.workloads.metadata import companion
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.sleep import sleep_problems, sleeping, wake_trigger
from gpuplane.workloads.server.start import start_seconds

_OPTION = ("--max-replicas",)
_FULL = 0.8
"""The part of what a replica takes at once from which another one is made: it has to load first."""
_LONGEST_WINDOW = 3600
"""Seconds, by autoscaling/v2."""


def stated_replicas(request: Request) -> dict[str, Tree]:
    """Return the field that says how many replicas there are; none where KEDA does.

    Argo CD would take back what KEDA makes of it.
    """
    return {} if request.max_replicas is not None else {"replicas": request.replicas}


def scaled_object(request: Request, api_version: str, kind: str) -> Iterator[Tree]:
    if request.max_replicas is None:
        return
    spec = {
        "scaleTargetRef": {"apiVersion": api_version, "kind": kind, "name": request.name},
        "maxReplicaCount": Because(request.max_replicas, "quota and nodes have room for them"),
        **(sleeping(request) if request.sleeps else _awake(request)),
        "advanced": {"horizontalPodAutoscalerConfig": {"behavior": _behavior(request)}},
        "triggers": [wake_trigger(request) if request.sleeps else _trigger(request)],
    }
    yield companion(request, "keda.sh/v1alpha1", "ScaledObject", spec)


def _awake(request: Request) -> dict[str, Tree]:
    return {
        "minReplicaCount": Because(
            request.replicas, "its metrics go with its last replica, and nothing would wake it"
        ),
        "fallback": Because(
            {
                "failureThreshold": 3,
                "replicas": request.replicas,
                "behavior": "currentReplicasIfHigher",
            },
            "it keeps the replicas that it has while Prometheus does not answer",
        ),
    }


def _behavior(request: Request) -> Tree:
    window = min(start_seconds(request), _LONGEST_WINDOW)
    one = {"type": "Pods", "value": 1, "periodSeconds": 60}
    up = [one, {"type": "Percent", "value": 100, "periodSeconds": 60}]
    return {
        "scaleUp": Because(
            {"stabilizationWindowSeconds": 60, "policies": up},
            "a burst of less than a minute makes no replica, and each minute doubles them at most",
        ),
        "scaleDown": Because(
            {"stabilizationWindowSeconds": window, "policies": [one]},
            f"another one may take {start_seconds(request)} seconds to start",
        ),
    }


def _trigger(request: Request) -> Tree:
    most = most_requests(request)
    why = f"{most} requests for each replica, which takes {_concurrency(request)} at once"
    metadata = {
        "serverAddress": request.platform.cluster.addons.monitoring.prometheus_url,
        "query": Because(load_query(request), "requests that run or wait; one element, or none"),
        "threshold": Because(str(most), why),
        "ignoreNullValues": Because("false", "no metrics are not no requests"),
    }
    return {"type": "prometheus", "metricType": "AverageValue", "metadata": metadata}


def most_requests(request: Request) -> int:
    """Return the requests for each replica from which another one is made."""
    return max(int(_concurrency(request) * _FULL), 1)


def _concurrency(request: Request) -> int:
    return request.served.model.concurrency if request.served.model else 1


def load_query(request: Request) -> str:
    """Return the requests of all replicas."""
    engine = request.served.engine
    load = engine.load if engine else None
    return f'sum({{__name__=~"{load}",{own_metrics(request)}}})'


def own_metrics(request: Request) -> str:
    """Return the labels of its metrics; Prometheus names the job of a PodMonitor after it.

    A PodMonitor anywhere can state the same job by its relabelings; another namespace it cannot
    state where Prometheus has an `enforcedNamespaceLabel`.
    """
    namespace = request.namespace.name
    return f'namespace="{namespace}",job="{namespace}/{request.name}"'


def scaling_problems(request: Request) -> Iterator[Problem]:
    yield from sleep_problems(request)
    if request.max_replicas is None or request.sleeps:
        return
    engine, platform = request.served.engine, request.platform
    if request.max_replicas <= request.replicas:
        what = f"{request.max_replicas} is not above --replicas {request.replicas}"
        yield Problem(_OPTION, what, f"at least {request.replicas + 1}")
    if engine is None or engine.load is None:
        title = engine.title if engine else "a server that is not known"
        yield Problem(_OPTION, f"{title} shows no metrics of its requests", "--replicas alone")
    elif not platform.monitoring.has_operator:
        what = f"{platform.name} has no Prometheus operator, which collects metrics of pods"
        yield Problem(_OPTION, what, "--replicas alone")
    elif platform.cluster.addons.monitoring.prometheus_url is None:
        what = f"KEDA asks Prometheus, whose address the file of {platform.name} does not say"
        yield Problem(_OPTION, what, "with addons.monitoring.prometheusUrl, or --replicas alone")


def scaling_notes(request: Request) -> Iterator[str]:
    if request.max_replicas is not None and request.platform.cluster.serving.keda is None:
        yield not_installed(request, "KEDA", "serving.keda")
