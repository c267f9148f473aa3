"""A service on GPUs says when it can answer.

Loading a model takes minutes, in which a pod without a readiness probe counts as ready: it gets
requests, and a rollout ends the old pods.
https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/#readiness-probe
"""

from collections.abc import Iterator

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import served_pods
from policies.container import ContainerKind


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for served in served_pods(one, context):
        for container in served.pod.containers:
            is_judged = container.kind is ContainerKind.APP and container.asks_for_gpu
            if is_judged and container.raw.get("readinessProbe") is None:
                yield RuleFinding(
                    f"{served.pointer}{container.pointer}/readinessProbe",
                    f"The {container.culprit} has no readinessProbe, so it gets requests before "
                    "its model is loaded.",
                    "Probe what its server answers once it can, such as httpGet on /health.",
                )


RULE = LintRule(
    "readiness-probe", "A service on GPUs has a readiness probe.", LintSeverity.WARNING, check
)
