"""GPU pods tolerate the taints of the pools that offer what they ask for.

https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import PURCHASE
from gpus.purchase import Purchase
from policies.finding import Severity
from policies.fix import append
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.spot import wants_spot
from policies.toleration import untolerated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpus.taint import Taint
    from policies.context import Context
    from policies.document import Document
    from policies.finding import Finding
    from policies.operation import Operation
    from policies.pod import Pod
    from policies.reach import Reach


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Add the missing tolerations; those for spot nodes only where the pod or its team opts in.

    A pod that can run on spot nodes alone is refused unless one of them does.
    """
    reach = context.reach(pod)
    opts_in = _opts_in(pod, context)
    missing = untolerated(reach.taints_with_spot if opts_in else reach.taints, pod.tolerations)
    if not missing:
        return () if opts_in or not reach.only_spot else _unwilling(pod, reach)
    added = [_toleration(taint) for taint in missing]
    fix = append(pod.document, "", ("spec", "tolerations"), added)
    return (_finding(pod, missing, fix),) if fix else ()


def _unwilling(pod: Pod, reach: Reach) -> tuple[Finding, ...]:
    if not untolerated(reach.taints_with_spot, pod.tolerations):
        return ()
    pools = ", ".join(pool.name for pool in reach.pools)
    finding = RULE.finding(
        severity=Severity.REFUSE,
        path="/spec/tolerations",
        culprit="the pod",
        message=f"The pod can run on spot nodes only, those of {pools}, and does not opt in to "
        "them.",
        remedy=f"Annotate it with {PURCHASE}: {Purchase.SPOT.value}, if it may be interrupted.",
    )
    return (finding,)


def _finding(pod: Pod, missing: list[Taint], fix: tuple[Operation, ...]) -> Finding:
    plural = "" if len(missing) == 1 else "s"
    return RULE.finding(
        path="/spec/tolerations",
        culprit="the pod",
        message=f"The pod does not tolerate the taint{plural} {', '.join(map(str, missing))} of "
        f"nodes that offer {', '.join(pod.gpus)}.",
        remedy=f"Add the toleration{plural} to spec.tolerations.",
        fix=fix,
    )


def _opts_in(pod: Pod, context: Context) -> bool:
    return (context.namespace is not None and context.namespace.spot) or wants_spot(pod)


def _toleration(taint: Taint) -> Document:
    return {
        "key": taint.key,
        "operator": "Equal",
        "value": taint.value,
        "effect": taint.effect,
    }


RULE: Rule = Rule(
    RuleName.TOLERATIONS,
    summary="A GPU pod tolerates the taints of the pools that offer what it asks for.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
