"""GPU pods name the runtime class that gives them GPUs, where the default one does not.

https://kubernetes.io/docs/concepts/containers/runtime-class/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Severity
from policies.fix import put
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


def evaluate(pod: Pod, context: Context) -> Iterator[Finding]:
    """Set the runtime class where the platform needs one and the pod names none."""
    needed = context.settings.runtime_class
    if needed is None or pod.spec.get("runtimeClassName") is not None:
        return
    if fix := put(pod.document, "", ("spec", "runtimeClassName"), needed):
        yield RULE.finding(
            path="/spec/runtimeClassName",
            culprit="the pod",
            message="The pod names no runtime class, and the default one gives it no GPU.",
            remedy=f"Set spec.runtimeClassName to {needed}.",
            fix=fix,
        )


RULE = Rule(
    RuleName.RUNTIME_CLASS,
    summary="A GPU pod names the runtime class that the platform needs.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
