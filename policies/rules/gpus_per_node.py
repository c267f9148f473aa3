"""A pod asks for no more GPUs than one node has.

A pod runs on one node; more GPUs take several pods, such as the workers of a training job.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Refuse more of a GPU resource than the largest node that offers it has."""
    for resource, amount in pod.gpus.items():
        offer = context.offer.by_resource.get(resource)
        if offer is not None and amount > (most := offer.most_per_node):
            yield RULE.finding(
                path="/spec/containers",
                culprit="the pod",
                message=f"The pod asks for {amount} of {resource}, and the largest node has "
                f"{most}.",
                remedy=f"Ask for at most {most}, and spread the work over several pods.",
            )


RULE = Rule(
    RuleName.GPUS_PER_NODE,
    summary="A pod asks for no more of a GPU resource than the largest node has.",
    severity=Severity.REFUSE,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
