"""A pod asks for its GPUs in one way: the device plugin's resource, or resource claims.

The device plugin and a DRA driver each count the GPUs of a node as if the other were not there.
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Refuse a pod that has both."""
    if not pod.has_claims or not pod.gpus:
        return ()
    finding = RULE.finding(
        path="/spec/resourceClaims",
        culprit="the pod",
        message=f"The pod asks for {', '.join(pod.gpus)} and holds resource claims as well.",
        remedy="Keep either the GPU resource or the claims.",
    )
    return (finding,)


RULE: Rule = Rule(
    RuleName.DEVICE_CLAIM,
    summary="A pod asks for GPUs by a resource or by claims, not by both.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
