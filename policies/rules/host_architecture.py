"""A GPU pod knows the processors of its node, for which its images must be built.

An image for amd64 alone does not start on Grace processors, which are arm64:
https://docs.nvidia.com/grace-perf-tuning-guide/index.html
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.context import Context
    from policies.finding import Finding
    from policies.pod import Pod


_LABEL = "kubernetes.io/arch"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/"""
_USUAL = "amd64"
"""What images are built for where nobody thinks of it."""


def concerns(context: Context) -> bool:
    """Whether the cluster has GPUs in machines of another architecture."""
    for pool in context.settings.pools:  # noqa: SIM110 # a generator costs as much as its work
        if pool.architecture != _USUAL:
            return True
    return False


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Warn of a pod that names no architecture and may run where it is not the usual one."""
    if _LABEL in pod.node_selector or _is_in_terms(pod):
        return ()
    pools = [p for p in context.offer.reach(pod).pools if p.architecture != _USUAL]
    if not pools:
        return ()
    architectures = " or ".join(sorted({pool.architecture for pool in pools}))
    names = ", ".join(pool.name for pool in pools)
    finding = RULE.finding(
        path="/spec/containers",
        culprit="the pod",
        message=f"The pod may run on {architectures}: {names}.",
        remedy=f"Use images for it, and name the architectures of your images as {_LABEL} in "
        "spec.nodeSelector or spec.affinity.nodeAffinity.",
    )
    return (finding,)


def _is_in_terms(pod: Pod) -> bool:
    for term in pod.node_terms:
        for expression in elements(members(term).get("matchExpressions")):
            if members(expression).get("key") == _LABEL:
                return True
    return False


RULE: Rule = Rule(
    RuleName.HOST_ARCHITECTURE,
    summary="A pod that may run on arm64 machines says so.",
    severity=Severity.WARN,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    concerns=concerns,
)
