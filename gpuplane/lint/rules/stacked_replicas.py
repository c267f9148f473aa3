"""Replicas of a service are spread over nodes.

A node has several GPUs, and all replicas on it fail with it. Admission spreads those of inference
services that it knows by their labels, by the rule `replica-spread`; this rule finds the others.
"""

from collections.abc import Iterator

from gpuplane.lint.rule import GpuPod, LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import replicated_pods
from policies.document import members
from policies.rule import Context
from policies.rules import replica_spread


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    """Find services that nothing spreads, though a node can hold two of their replicas."""
    replicas = members(one.document.get("spec")).get("replicas")
    if type(replicas) is not int or replicas < 2:
        return
    for served in replicated_pods(one, context):
        is_spread = replica_spread.spreads(served.pod)
        if not is_spread and _share_node(served, context) and not _is_found(served, context):
            yield RuleFinding(
                f"{served.pointer}/spec/topologySpreadConstraints",
                f"All {replicas} replicas may run on one node, and fail with it.",
                f"Spread them by topologySpreadConstraints on {replica_spread.TOPOLOGY}, with"
                " whenUnsatisfiable ScheduleAnyway and the labels of the pods.",
            )


def _share_node(served: GpuPod, context: LintContext) -> bool:
    """Whether some node that they can run on has enough GPUs for two."""
    offered = context.offer.reach(served.pod).offered
    gpus = served.pod.gpus
    return bool(gpus) and all(
        name in offered and 2 * amount <= offered[name].max_per_node
        for name, amount in gpus.items()
    )


def _is_found(served: GpuPod, context: LintContext) -> bool:
    """Whether the rule `replica-spread` finds it."""
    place = context.namespace, context.known_namespace
    judged = Context(context.settings, context.offer, *place)
    rule = replica_spread.RULE
    return rule.concerns(judged) and any(rule.evaluate(served.pod, judged))


RULE = LintRule("stacked-replicas", "Replicas of a service on GPUs are spread over nodes.", check)
