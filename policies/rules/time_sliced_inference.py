"""Services that answer users do not take turns on a GPU.

Time-slicing limits neither memory nor latency: https://github.com/NVIDIA/k8s-device-plugin
(README, "With CUDA Time-Slicing")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.rules import replica_spread

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


TIME_SLICED = {SharingKind.TIME_SLICING, SharingKind.MIG_TIME_SLICING}


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Warn of inference on a resource that is time-sliced in every pool that it can run on."""
    offered = context.reach(pod).offered
    return [
        _warning(resource)
        for resource in pod.gpus
        if resource in offered and offered[resource].sharing <= TIME_SLICED
    ]


def _warning(resource: str) -> Finding:
    return RULE.finding(
        path="/spec/containers",
        culprit="the pod",
        message=f"The pod serves users on {resource}, where pods take turns on a GPU.",
        remedy="Use a whole GPU or a MIG instance, which no other pod delays.",
    )


RULE: Rule = Rule(
    RuleName.TIME_SLICED_INFERENCE,
    summary="Inference does not run on time-sliced GPUs.",
    severity=Severity.WARN,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    concerns=replica_spread.concerns,
)
