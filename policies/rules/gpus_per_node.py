"""A pod asks for no more GPUs than one node has of those that it can run on.

A pod runs on one node; using more GPUs takes several pods, such as the workers of a training job.
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
    from policies.quantity import Quantity
    from policies.resource_offer import ResourceOffer


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse more of a GPU resource than the largest node has that the pod can run on."""
    offered, anywhere = context.reach(pod).offered, context.offer.by_resource
    return [
        _refusal(resource, amount, offered[resource], anywhere[resource])
        for resource, amount in pod.gpus.items()
        if resource in offered and amount > offered[resource].max_per_node
    ]


def _refusal(
    resource: str, amount: Quantity, reached: ResourceOffer, anywhere: ResourceOffer
) -> Finding:
    limit = reached.max_per_node
    pools = ", ".join(pool.name for pool in reached.pools)
    where = f" of {pools}, which it can run on," if limit < anywhere.max_per_node else ""
    return RULE.finding(
        path="/spec/containers",
        culprit="the pod",
        message=f"The pod asks for {amount} of {resource}, but the largest node{where} has "
        f"{limit}.",
        remedy=f"Ask for at most {limit}, and spread the work over several pods.",
    )


RULE: Rule = Rule(
    RuleName.GPUS_PER_NODE,
    summary="A pod asks for no more of a GPU resource than the largest node has that it can use.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
