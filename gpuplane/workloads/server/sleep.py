"""How a server without replicas gets one: KEDA's HTTP add-on holds requests until it is ready.

KEDA goes to 0 once no request ran or waited for `cooldownPeriod`, and does nothing while the scaler
does not answer, since no `fallback` is stated (`RequestScale` in
pkg/scaling/executor/scale_scaledobjects.go of https://github.com/kedacore/keda at v2.20.2).
"""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.platform.gateway import team_domain
from charts_py.platform.interceptor import ROUTE_GROUP, SCALER_ADDRESS
from gpuplane.workloads.metadata import companion
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpuplane.workloads.server.start import new_pod_seconds, start_seconds

_OPTION = ("--replicas",)
_ALLOWED = "1 or more"


def interceptor_route(request: Request, service: str, most: int) -> Iterator[Tree]:
    """Yield what has the interceptor answer for the server; `most` requests go to each replica."""
    gateway = request.platform.cluster.serving.gateway
    if not request.sleeps or gateway is None:
        return
    host = f"{request.name}.{team_domain(gateway, request.namespace.team_name)}"
    spec = {
        "target": {"service": service, "port": 80},
        "rules": [{"hosts": Because([host], "by which the interceptor knows the server")}],
        "scalingMetric": {
            "concurrency": {"targetValue": Because(most, "requests for each replica")}
        },
        "timeouts": {
            "readiness": Because(
                f"{new_pod_seconds(request)}s", "until a replica has its node, its image and starts"
            ),
            "responseHeader": Because("0s", "its HTTPRoute says how long an answer may take"),
        },
    }
    yield companion(request, f"{ROUTE_GROUP}/v1beta1", "InterceptorRoute", spec)


def sleeping(request: Request) -> dict[str, Tree]:
    """Return fields of its ScaledObject."""
    return {
        "minReplicaCount": Because(0, "the interceptor holds requests until there is one"),
        "cooldownPeriod": Because(
            start_seconds(request), "seconds without requests; another one may take them to start"
        ),
        "initialCooldownPeriod": Because(
            new_pod_seconds(request), "the first replica has as long to show that it starts"
        ),
    }


def wake_trigger(request: Request) -> Tree:
    metadata = {
        "scalerAddress": Because(SCALER_ADDRESS, "it counts what the interceptor holds and sends"),
        "interceptorRoute": request.name,
    }
    return {"type": "external-push", "metadata": metadata}


def sleep_problems(request: Request) -> Iterator[Problem]:
    if not request.sleeps:
        return
    platform, namespace = request.platform, request.namespace
    if platform.cluster.serving.keda_http_add_on is None:
        what = f"nothing would wake it: the file of {platform.name} has no serving.kedaHttpAddOn"
        yield Problem(_OPTION, what, f"{_ALLOWED}, or a cluster with serving.kedaHttpAddOn")
    elif namespace.spec.purpose is not Purpose.INFERENCE:
        what = (
            f"the interceptor reaches namespaces of inference alone, which {namespace.name} is not"
        )
        yield Problem(_OPTION, what, f"{_ALLOWED}, or a namespace of inference")
    if request.prefill_replicas:
        what = "KEDA scales no DisaggregatedSet, whose roles would have to wake together"
        yield Problem(_OPTION, what, f"{_ALLOWED} with --prefill-replicas")
    elif request.served.picker:
        what = "requests to an InferencePool go past the interceptor, so that none would wake it"
        yield Problem(_OPTION, what, f"{_ALLOWED} with --picker")
    if request.canary:
        what = "without replicas there is nothing that a canary could be compared with"
        yield Problem(_OPTION, what, f"{_ALLOWED} with --canary")
