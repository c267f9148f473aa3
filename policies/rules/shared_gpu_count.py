"""A container asks for one share of a shared GPU.

Two shares can be of the same GPU, and then give no more of it than one. So device plugins refuse
them when the pod starts: https://github.com/NVIDIA/k8s-device-plugin (README,
`failRequestsGreaterThanOne`), and GKE's, `ValidateRequest` in
https://github.com/GoogleCloudPlatform/container-engine-accelerators/blob/master/pkg/gpu/nvidia/gpusharing/gpusharing.go
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from policies.cel.gpus import amount_in
from policies.cel.placement import is_shared_by, ways_of_sharing
from policies.cel.text import joined
from policies.container import Container
from policies.document import pointer
from policies.finding import Finding
from policies.pod import Pod
from policies.reach import SHARED, ResourceOffer
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName
from policies.settings import are_shared_by

_SEVERAL_SHARES = Message(
    "The {culprit} asks for {count} of {resource}, which is shared by {ways}: several shares give "
    "no more than one.",
    "Ask for 1.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
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
        yield RULE.finding(
            _SEVERAL_SHARES,
            path=f"/resources/limits{pointer(resource)}",
            of=container,
            count=container.gpus[resource],
            resource=resource,
            ways=" and ".join(sorted(offered[resource].sharing)),
        )


_SEVERAL = (
    "variables.shared_gpu_count_resources.filter(resource,"
    f" {amount_in('container', 'resource')} > 1)"
)

_FOUND = _SEVERAL_SHARES.in_cel(
    count=f"string({amount_in('container', 'resource')})",
    resource="resource",
    ways=f'{ways_of_sharing("resource")}.join(" and ")',
)
_REFUSED = (
    f"variables.gpu_containers.filter(container, size({_SEVERAL}) > 0).map(container,"
    f" {joined(f'{_SEVERAL}.map(resource, {_FOUND})', RuleName.SHARED_GPU_COUNT)})"
)
_VARIABLES = {
    "shared_gpu_count_resources": f"variables.wanted.filter(resource, {is_shared_by(SHARED)})"
}

RULE: Rule = Rule(
    RuleName.SHARED_GPU_COUNT,
    summary="A container asks for at most one share of a shared GPU.",
    evaluate=evaluate,
    applies=lambda settings: are_shared_by(SHARED, settings.pools),
    in_cel=InCel(refusals=always(_REFUSED), variables=always(_VARIABLES)),
)
