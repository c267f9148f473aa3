"""A picker, which the Gateway asks which replica of a model answers a request soonest.

It reads the metrics of every replica 20 times a second, and remembers which prompts each has seen,
so that one picker answers at a time. While none does, the Gateway chooses replicas at random.
https://github.com/llm-d/llm-d-router
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import Purpose
from charts_py.platform.gateway import PICKER, PICKER_IMAGE, PICKER_SELECTOR, POOL_GROUP
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.metadata import companion, pod_metadata
from gpuplane.workloads.placement import priority
from gpuplane.workloads.pod_template import CONTAINER_SECURITY
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import NOTHING, Compute, Request
from gpuplane.workloads.server.ports import metrics_monitor, ports
from gpuplane.workloads.serving.engine import Metrics
from gpuplane.workloads.serving.language_model import CONCURRENCY

_OPTION = ("--picker",)
_PORT, _HEALTH_PORT, _METRICS_PORT = 9002, 9003, 9090
_METRICS = Metrics("metrics", "/metrics")
_MIB = 2**20
_ENGINE_TYPE = "llm-d.ai/engine-type"
_BASE, _OF_REPLICA, _OF_REQUEST = Compute(500, 512 * _MIB), 100, 4 * _MIB
"""What it takes without load, thousandths of a CPU for each replica whose metrics it reads, and
bytes for each request under way: 7.5 CPUs for 100 idle replicas, and 12.5 GiB for about 5000
requests (docs/operations.md of llm-d-router at v0.10.0). Its chart asks for 8 CPUs and 8 GiB."""


def has_picker(asked: Asked) -> bool:
    """Return whether one is asked for: without it, nothing would name a prefill pod."""
    return asked.picker or asked.prefill_replicas is not None


def picker_compute(asked: Asked) -> Compute:
    """Return what the picker takes of the quota, where one is asked for."""
    if not has_picker(asked):
        return NOTHING
    replicas = (asked.max_replicas or asked.replicas or 1) + (asked.prefill_replicas or 0)
    requests = replicas * (asked.concurrency or CONCURRENCY)
    return _BASE + Compute(_OF_REPLICA * replicas, _OF_REQUEST * requests)


def engine_label(request: Request) -> dict[str, str]:
    """Return the label by which a picker knows the names of metrics."""
    engine = request.served.engine
    return {_ENGINE_TYPE: engine.name} if request.served.picker and engine else {}


def picker(request: Request, selector: Mapping[str, str]) -> Iterator[Tree]:
    """Yield the InferencePool of the replicas that a selector finds, and its picker."""
    if not request.served.picker:
        return
    name = f"{request.name}-picker"
    own = {**PICKER_SELECTOR, "app.kubernetes.io/name": name}
    yield companion(request, f"{POOL_GROUP}/v1", "InferencePool", _pool(request, selector, name))
    service = {
        "selector": own,
        "ports": [{"name": "grpc", "port": _PORT, "appProtocol": "kubernetes.io/h2c"}],
    }
    yield companion(request, "v1", "Service", service, name)
    yield from metrics_monitor(request, own, _METRICS, "where it serves its metrics", name)
    deployment = {
        "replicas": Because(1, "replicas of it would not share what they know"),
        "strategy": {"type": Because("Recreate", "two would tell the Gateway different things")},
        "selector": {"matchLabels": own},
        "template": {"metadata": pod_metadata(request, {}, own), "spec": _pod(request)},
    }
    yield companion(request, "apps/v1", "Deployment", deployment, name)


def _pool(request: Request, selector: Mapping[str, str], name: str) -> Tree:
    return {
        "selector": {"matchLabels": selector},
        "targetPorts": Because([{"number": ports(request)["http"]}], "of the pods"),
        "endpointPickerRef": {
            "group": "",
            "kind": "Service",
            "name": name,
            "port": {"number": _PORT},
            "failureMode": Because(
                "FailOpen", "while no picker answers, requests go to replicas at random"
            ),
        },
    }


def _pod(request: Request) -> Tree:
    return {
        **priority(request),
        "serviceAccountName": Because(PICKER, "it reads pods and pools of the namespace"),
        "terminationGracePeriodSeconds": Because(
            130, "requests that it has accompanied end first, as in its chart"
        ),
        "securityContext": {
            "runAsNonRoot": Because(True, "Pod Security restricted"),
            "seccompProfile": Because({"type": "RuntimeDefault"}, "Pod Security restricted"),
        },
        "containers": [_container(request)],
    }


def _container(request: Request) -> Tree:
    probe = {"grpc": {"port": _HEALTH_PORT, "service": "inference-extension"}}
    compute = request.beside.amounts()
    memory = Because(compute["memory"], "by the requests that replicas take at once")
    return {
        "name": "picker",
        "image": request.platform.mirrors.of(PICKER_IMAGE),
        "args": [
            f"--pool-name={request.name}",
            f"--pool-namespace={request.namespace.name}",
            Because(
                "--metrics-endpoint-auth=false", "a NetworkPolicy lets in Prometheus and the team"
            ),
            "--enable-pprof=false",
            "--tracing=false",
            *_profiles(request),
        ],
        "ports": [
            {"name": "grpc", "containerPort": _PORT},
            {"name": "grpc-health", "containerPort": _HEALTH_PORT},
            {"name": "metrics", "containerPort": _METRICS_PORT},
        ],
        "livenessProbe": {**probe, "initialDelaySeconds": 5, "periodSeconds": 10},
        "readinessProbe": {**probe, "periodSeconds": 2},
        "resources": {
            "requests": {
                "cpu": Because(compute["cpu"], "by the replicas whose metrics it reads"),
                "memory": memory,
            },
            "limits": {"memory": compute["memory"]},
        },
        "securityContext": CONTAINER_SECURITY,
    }


def _profiles(request: Request) -> Iterator[Tree]:
    """Yield its configuration, where it chooses a pod of each role."""
    if request.prefill_replicas:
        text = (files(__package__) / "picker_profiles.yaml").read_text(encoding="utf-8")
        plain = "".join(line for line in text.splitlines(keepends=True) if line[0] != "#")
        yield Because(f"--config-text={plain}", "it chooses a pod for decode, and one for prefill")


def picker_problems(request: Request) -> Iterator[Problem]:
    served, platform, namespace = request.served, request.platform, request.namespace
    option = ("--prefill-replicas",) if request.prefill_replicas else _OPTION
    if not served.picker:
        return
    if platform.cluster.serving.inference_pools is None:
        what = f"the file of {platform.name} has no InferencePools"
        yield Problem(option, what, "a cluster with serving.inferencePools")
    elif namespace.spec.purpose is not Purpose.INFERENCE:
        what = f"{namespace.name} is no namespace of inference; only those have InferencePools"
        yield Problem(option, what, "another --namespace")
    if served.engine is None or served.engine.metrics is None:
        title = served.engine.title if served.engine else "a server that is not known"
        yield Problem(_OPTION, f"{title} shows no metrics to choose by", "without it")
