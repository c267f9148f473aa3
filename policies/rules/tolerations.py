"""GPU pods tolerate the taints of the pools that offer what they ask for.

https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.fix import append
from policies.offer import wants_spot
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.toleration import untolerated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpus.taint import Taint
    from policies.context import Context
    from policies.document import Document
    from policies.finding import Finding
    from policies.operation import Operation
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Add the missing tolerations; those for spot nodes only where the pod or its team opts in."""
    candidates = context.offer.candidates(pod)
    taints = candidates.taints_with_spot if _opts_in(pod, context) else candidates.taints
    missing = untolerated(taints, pod.tolerations)
    if not missing:
        return ()
    added = [_toleration(taint) for taint in missing]
    fix = append(pod.document, "", ("spec", "tolerations"), added)
    return (_finding(pod, missing, fix),) if fix else ()


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
