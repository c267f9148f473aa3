"""A PodDisruptionBudget lets a node be drained.

The API server refuses each eviction that a budget does not allow, so that a node with a pod of it
is never drained, be it for a broken GPU or a new driver, until somebody deletes the budget or the
pods (https://kubernetes.io/docs/tasks/run-application/configure-pdb/). Kubernetes rounds a
percentage up in both fields. What a budget states by itself is refused by the cluster's policy
`disruption-budgets`; here it is compared with the replicas of the workloads that it selects.
"""

from collections.abc import Iterator

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rollouts import part_of
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.siblings import BUDGET
from policies.document import listed, members, shown


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    kept = context.siblings.joined(one.document) if one.kind == BUDGET else []
    counts = [context.siblings.most(each) for each in kept]
    total = sum(filter(None, counts))
    is_refused = any(context.policies.findings(one.document, context.namespace))
    if not total or None in counts or is_refused:
        return
    for field, stated in members(one.document.get("spec")).items():
        part = part_of(stated, total)
        is_kept = {"maxUnavailable": part == 0, "minAvailable": (part or 0) > total - 1}
        if is_kept.get(field):
            of = listed([f"{each.kind} {shown(each.name)}" for each in kept])
            pods = f"all {total} pods" if total > 1 else "the only pod"
            yield RuleFinding(
                f"/spec/{field}",
                f"{field} {shown(str(stated))} keeps {pods} of {of}, so that a node with one is "
                "never drained.",
                "Set maxUnavailable to 1 instead, or run one replica more.",
            )


RULE = LintRule(
    "blocked-drain",
    "A PodDisruptionBudget lets at least one pod of its workloads go.",
    LintSeverity.WARNING,
    check,
)
