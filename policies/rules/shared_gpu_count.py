"""A container asks for one share of a shared GPU.

Two shares can be of the same GPU and give no more of it than one does, so that the device plugin
refuses them: https://github.com/NVIDIA/k8s-device-plugin (README, `failRequestsGreaterThanOne`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.sharing import SharingKind
from policies.document import pointer
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


_SHARED = {SharingKind.TIME_SLICING, SharingKind.MPS, SharingKind.MIG_TIME_SLICING}


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Refuse more than one of a resource that is shared in every pool that offers it."""
    for container in pod.containers:
        for resource, amount in container.gpus.items():
            if amount is None or amount <= 1:
                continue
            offer = context.offer.by_resource.get(resource)
            if offer is not None and offer.sharing <= _SHARED:
                ways = " and ".join(sorted(offer.sharing))
                yield RULE.finding(
                    path=f"{container.pointer}/resources/limits{pointer(resource)}",
                    culprit=container.culprit,
                    message=f"The {container.culprit} asks for {amount} of {resource}, which is "
                    f"shared by {ways}: several shares give no more than one.",
                    remedy="Ask for 1, or for a resource that is not shared.",
                )


RULE = Rule(
    RuleName.SHARED_GPU_COUNT,
    summary="A container asks for at most one share of a shared GPU.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
