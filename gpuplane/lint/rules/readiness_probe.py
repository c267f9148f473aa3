"""A service on GPUs says when it can answer, and is left to load its model until then.

Loading a model takes minutes, in which a pod without a readiness probe counts as ready: it gets
requests, and a rollout ends the old pods.
https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/#readiness-probe

Until its model is loaded, a server answers no probe (`run_server_worker` in
https://github.com/vllm-project/vllm, vllm/entrypoints/openai/api_server.py), and one on liveness
ends its container, which starts to load it again. A model of 15 GB alone takes 48 s to read from a
disk of a cloud (docs/src/benchmarks.md of https://github.com/run-ai/runai-model-streamer), and then
the process some more to start. Other programs may have no model to load. The kubelet probes first
at some time in the period after the delay, and ends the container at the last of the failures in a
row (`doProbe` in https://github.com/kubernetes/kubernetes, pkg/kubelet/prober/worker.go at
v1.37.1).
"""

from collections.abc import Iterator

from gpuplane.lint.model_servers import is_model_server
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import served_pods
from policies.container import Container, ContainerKind
from policies.document import members

_LOADING = 60
"""Seconds that a server of a language model takes to start, at least."""
_ANSWERS = ("httpGet", "tcpSocket", "grpc")


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for served in served_pods(one, context):
        for container in served.pod.containers:
            if container.kind is ContainerKind.APP and container.asks_for_gpu:
                yield from served.placed((*_unready(container), *_ended(container)))


def _unready(container: Container) -> Iterator[RuleFinding]:
    if container.raw.get("readinessProbe") is None:
        yield RuleFinding(
            f"{container.pointer}/readinessProbe",
            f"The {container.culprit} has no readinessProbe, so it gets requests before "
            "its model is loaded.",
            "Probe what its server answers once it can, such as httpGet on /health.",
        )


def _ended(container: Container) -> Iterator[RuleFinding]:
    """Find a probe that ends a server while it loads its model; liveness waits for startup."""
    is_startup = container.raw.get("startupProbe") is not None
    field = "startupProbe" if is_startup else "livenessProbe"
    probe = members(container.raw.get(field))
    if not any(map(probe.get, _ANSWERS)):
        return
    delay, period, failures = (
        probe.get(name) or default
        for name, default in (
            ("initialDelaySeconds", 0),
            ("periodSeconds", 10),
            ("failureThreshold", 3),
        )
    )
    if not {type(delay), type(period), type(failures)} <= {int} or not is_model_server(container):
        return
    if (latest := delay + period * failures) <= _LOADING:
        when = f"{latest - period} to {latest} seconds after its start"
        yield RuleFinding(
            f"{container.pointer}/{field}",
            f"The {field} of {container.culprit} ends it {when}, before its model is loaded, again "
            "and again.",
            f"{'Give it' if is_startup else 'Add a startupProbe with'} the time that loading may "
            "take, such as periodSeconds: 10 and failureThreshold: 180.",
        )


RULE = LintRule(
    "readiness-probe",
    "A service on GPUs has a readiness probe, and no other ends it before its model is loaded.",
    check,
)
