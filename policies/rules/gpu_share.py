"""A pod takes no more of its node's CPU and memory than the share of its GPUs.

What it takes beyond that is missing for the node's other GPUs, which are then paid for but idle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod
    from policies.quantity import Quantity
    from policies.settings import PoolSettings


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Warn of CPU or memory requests that strand GPUs on every pool that it can run on."""
    pools = context.reach(pod).pools
    if not pools:
        return ()
    count = sum(pod.gpus.values())
    findings = []
    for resource in ("cpu", "memory"):
        request = pod.effective_request(resource)
        if stranded := _stranded(request, resource, count, pools):
            findings.append(_warning(resource, count, stranded))
    return findings


def _warning(resource: str, count: Quantity, stranded: int) -> Finding:
    gpus = "1 GPU" if count == 1 else f"{count} GPUs"
    return RULE.finding(
        path="/spec/containers",
        culprit="the pod",
        message=f"The pod asks for more {resource} than the share of its {gpus}, "
        f"which strands {stranded} more on its node.",
        remedy=f"Ask for less {resource}, or for those GPUs as well.",
    )


def _stranded(
    request: Quantity, resource: str, count: Quantity, pools: Sequence[PoolSettings]
) -> int:
    """Return how many GPUs it strands, on the pool where that is fewest."""
    least: int | None = None
    for pool in pools:
        node = pool.cpu if resource == "cpu" else pool.memory
        allocations = pool.allocations
        if request * allocations <= node * count:
            return 0
        # Rounded up: a share taken in part is lost.
        taken = min(-(-request * allocations // node), allocations) if node else allocations
        stranded = taken - -(-count // 1)
        least = stranded if least is None else min(least, stranded)
    return max(least or 0, 0)


RULE: Rule = Rule(
    RuleName.GPU_SHARE,
    summary="A pod asks for no more CPU and memory than its GPUs' share of a node.",
    severity=Severity.WARN,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
