"""GPU pods have the priority that their team may use.

A webhook that sets the class must remove the priority that the API server computed before: its
admission plugin runs again and refuses a number that differs from that of the class. Source:
https://github.com/kubernetes/kubernetes/blob/master/plugin/pkg/admission/priority/admission.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.nearest import nearest, nearest_hint
from policies.document import shown, text
from policies.finding import Severity
from policies.fix import put
from policies.operation import Operation
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod
    from policies.settings import NamespaceSettings


COMPUTED = ("priority", "preemptionPolicy")
"""Fields that the API server fills from the class."""


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Set the namespace's default class; refuse classes that are not the team's."""
    namespace = context.namespace
    if namespace is None:
        return ()
    name = text(pod.spec.get("priorityClassName"))
    if not name:
        return _default(pod, namespace)
    reserved = context.settings.reserved_priority_classes
    return refusals("pod", "/spec/priorityClassName", name, namespace, reserved)


def refusals(
    subject: str, path: str, name: str, namespace: NamespaceSettings, reserved: Collection[str]
) -> tuple[Finding, ...]:
    """Return what is wrong with the class that a pod, or a job in a queue, names at a path."""
    if name in reserved:
        return (_refusal(subject, path, name, "is reserved for the platform", namespace),)
    if namespace.priorities and name not in namespace.priorities:
        reason = f"is not among those of team {namespace.team}"
        return (_refusal(subject, path, name, reason, namespace),)
    return ()


def _default(pod: Pod, namespace: NamespaceSettings) -> tuple[Finding, ...]:
    if namespace.default_priority is None:
        return ()
    fix = put(pod.document, "", ("spec", "priorityClassName"), namespace.default_priority)
    if not fix:
        return ()
    computed = [name for name in COMPUTED if name in pod.spec]
    finding = RULE.finding(
        path="/spec/priorityClassName",
        culprit="the pod",
        message="The pod names no priority class.",
        remedy=f"Set spec.priorityClassName to {namespace.default_priority}.",
        fix=(*fix, *(Operation("remove", f"/spec/{name}") for name in computed)),
    )
    return (finding,)


def _refusal(
    subject: str, path: str, name: str, reason: str, namespace: NamespaceSettings
) -> Finding:
    allowed = namespace.priorities
    hint = nearest_hint(nearest(name, allowed)[:1])
    return RULE.finding(
        severity=Severity.REFUSE,
        path=path,
        culprit=f"the {subject}",
        message=f"The {subject} names priority class {shown(name)}, which {reason}.",
        remedy=f"Use one of: {', '.join(allowed)}{hint}." if allowed else "Use another class.",
    )


RULE: Rule = Rule(
    RuleName.PRIORITY_CLASS,
    summary="A GPU pod has a priority class that its team may use.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
