"""Replicas of an inference service prefer different nodes, so that no node takes all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members, shown, text
from policies.finding import Severity
from policies.fix import append
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.document import Document
    from policies.finding import Finding
    from policies.pod import Pod


INFERENCE = "inference"
IDENTITIES = (("app.kubernetes.io/name", "app.kubernetes.io/instance"), ("app",))
"""Labels that name a service, the most specific first
(https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/)."""
PREFERRED = (
    "spec",
    "affinity",
    "podAntiAffinity",
    "preferredDuringSchedulingIgnoredDuringExecution",
)

TOPOLOGY = "kubernetes.io/hostname"
WEIGHT = 100
"""The largest that there is."""


def concerns(context: Context) -> bool:
    """Whether the namespace is for services that answer users."""
    return context.namespace is not None and context.namespace.purpose == INFERENCE


def evaluate(pod: Pod, _context: Context) -> Iterable[Finding]:
    """Prefer nodes without other replicas of the service, unless the pod says how to spread."""
    if _spreads(pod):
        return ()
    service = _service(pod)
    fix = append(pod.document, "", PREFERRED, [_preference(service)]) if service else ()
    if not fix:
        return ()
    finding = RULE.finding(
        path="/spec/affinity",
        culprit="the pod",
        message=f"The replicas of {shown(' '.join(service.values()))} may all run on one node.",
        remedy="Prefer different nodes in spec.affinity.podAntiAffinity.",
        fix=fix,
    )
    return (finding,)


def _spreads(pod: Pod) -> bool:
    affinity = members(pod.spec.get("affinity"))
    return bool(
        members(affinity.get("podAntiAffinity"))
        or elements(pod.spec.get("topologySpreadConstraints"))
    )


def _service(pod: Pod) -> dict[str, str]:
    """Return the labels that all replicas share, in the next release too."""
    for keys in IDENTITIES:
        found = {key: text(pod.labels[key]) for key in keys if text(pod.labels.get(key))}
        if len(found) == len(keys):
            return found
    return {}


def _preference(service: dict[str, str]) -> Document:
    term = {"labelSelector": {"matchLabels": service}, "topologyKey": TOPOLOGY}
    return {"weight": WEIGHT, "podAffinityTerm": term}


RULE: Rule = Rule(
    RuleName.REPLICA_SPREAD,
    summary="Replicas of one inference service prefer different nodes.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    concerns=concerns,
)
