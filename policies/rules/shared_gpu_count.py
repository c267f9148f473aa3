"""A container asks for one share of a shared GPU.

Two shares can be of the same GPU, and then give no more of it than one. So device plugins refuse
them when the pod starts: https://github.com/NVIDIA/k8s-device-plugin (README,
`failRequestsGreaterThanOne`), and GKE's, `ValidateRequest` in
https://github.com/GoogleCloudPlatform/container-engine-accelerators/blob/master/pkg/gpu/nvidia/gpusharing/gpusharing.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.capacity import SHARED
from policies.document import pointer
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from policies.container import Container
    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod
    from policies.resource_offer import ResourceOffer


def concerns(context: Context) -> bool:
    """Whether any pool shares its GPUs."""
    return any(
        resource.sharing in SHARED for pool in context.offer.pools for resource in pool.resources
    )


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse more than one of a resource that is shared in every pool that the pod can run on."""
    offered = context.reach(pod).offered
    several = [
        (container, resource)
        for container in pod.gpu_containers
        for resource, amount in container.gpus.items()
        if (amount or 0) > 1 and resource in offered and offered[resource].sharing <= SHARED
    ]
    return _refusals(several, offered) if several else ()


def _refusals(
    several: Sequence[tuple[Container, str]], offered: Mapping[str, ResourceOffer]
) -> Iterator[Finding]:
    for container, resource in several:
        yield _refusal(container, resource, offered)


def _refusal(container: Container, resource: str, offered: Mapping[str, ResourceOffer]) -> Finding:
    ways = " and ".join(sorted(offered[resource].sharing))
    return RULE.finding(
        path=f"{container.pointer}/resources/limits{pointer(resource)}",
        culprit=container.culprit,
        message=f"The {container.culprit} asks for {container.gpus[resource]} of {resource}, "
        f"which is shared by {ways}: several shares give no more than one.",
        remedy="Ask for 1, or for a resource that is not shared.",
    )


RULE: Rule = Rule(
    RuleName.SHARED_GPU_COUNT,
    summary="A container asks for at most one share of a shared GPU.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    concerns=concerns,
)
