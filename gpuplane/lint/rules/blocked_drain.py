"""A PodDisruptionBudget lets a node be drained.

The API server refuses each eviction that a budget does not allow, so that a node with a pod of it
is never drained, be it for a broken GPU or a new driver, until somebody deletes the budget or the
pods (https://kubernetes.io/docs/tasks/run-application/configure-pdb/). Kubernetes rounds a
percentage up in both fields. What a budget states by itself is refused by the cluster's policy
`disruption-budgets`; here it is compared with the replicas of the workloads that it selects.
"""

from collections.abc import Iterator, Sequence

from gpuplane.lint.rollouts import part_of
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.told import BUDGET, Told
from policies.admission import Effect
from policies.document import listed, members, name_of, shown
from policies.workloads.pod_replacement import JOB


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if one.kind == BUDGET:
        kept = context.siblings.joined(one.document)
        yield from _shared(one, context, kept)
        said = context.policies.findings(one.document, context.namespace)
        if kept and not any(each.effect is Effect.DENIED for each in said):
            yield from _keeping(one, context, kept)


def _shared(one: LintObject, context: LintContext, kept: Sequence[Told]) -> Iterator[RuleFinding]:
    """`Create` in pkg/registry/core/pod/storage/eviction.go of Kubernetes 1.37.1."""
    beside = context.siblings.budgets_beside(name_of(one.document), kept)
    if others := [each.name for each in beside]:
        yield RuleFinding(
            "/spec/selector",
            f"It keeps pods that PodDisruptionBudget {listed(others)} keeps as well, and the API "
            "server evicts no pod of two budgets, so that a node with one is never drained.",
            "Keep one of them, or let them select other pods.",
        )


def _keeping(one: LintObject, context: LintContext, kept: Sequence[Told]) -> Iterator[RuleFinding]:
    counts = [context.siblings.most(each) for each in kept]
    total = 0 if None in counts else sum(filter(None, counts))
    jobs = [each for each in kept if each.kind == JOB.kind]
    for field, stated in members(one.document.get("spec")).items():
        part = part_of(stated, total)
        is_kept = {"maxUnavailable": part == 0, "minAvailable": (part or 0) > total - 1}
        if jobs and field in is_kept and (field, type(stated)) != ("minAvailable", int):
            yield RuleFinding(
                f"/spec/{field}",
                f"{field} {shown(str(stated))} keeps all pods of {_listed(jobs)}, since Kubernetes "
                "knows no replicas of a Job: a node with one is not drained before it has ended.",
                "Leave its pods out of the budget, and have it write checkpoints.",
            )
        elif total and is_kept.get(field):
            pods = f"all {total} pods" if total > 1 else "the only pod"
            yield RuleFinding(
                f"/spec/{field}",
                f"{field} {shown(str(stated))} keeps {pods} of {_listed(kept)}, so that a node "
                "with one is never drained.",
                "Set maxUnavailable to 1 instead, or run one replica more.",
            )


def _listed(workloads: Sequence[Told]) -> str:
    return listed([f"{each.kind} {shown(each.name)}" for each in workloads])


RULE = LintRule(
    "blocked-drain", "A PodDisruptionBudget lets at least one pod of its workloads go.", check
)
