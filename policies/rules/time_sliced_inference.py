"""Services that answer users do not wait for their turn on a GPU.

Time-slicing bounds neither memory nor latency: https://github.com/NVIDIA/k8s-device-plugin
(README, "With CUDA Time-Slicing")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.rules.replica_spread import INFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


_TIME_SLICED = {SharingKind.TIME_SLICING, SharingKind.MIG_TIME_SLICING}


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Warn of inference on a resource that is time-sliced in every pool that offers it."""
    if context.namespace is None or context.namespace.purpose != INFERENCE:
        return
    for resource in pod.gpus:
        offer = context.offer.by_resource.get(resource)
        if offer is not None and offer.sharing <= _TIME_SLICED:
            yield RULE.finding(
                path="/spec/containers",
                culprit="the pod",
                message=f"The pod answers users on {resource}, whose pods take turns on a GPU.",
                remedy="Use a whole GPU or a MIG instance, whose latency is its own.",
            )


RULE = Rule(
    RuleName.TIME_SLICED_INFERENCE,
    summary="Inference does not run on time-sliced GPUs.",
    severity=Severity.WARN,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
