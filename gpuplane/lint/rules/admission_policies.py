"""The API server takes an object: no policy of the cluster refuses it.

Besides those on pods, whose rules have names of their own, a cluster has policies on Services,
PodDisruptionBudgets, jobs in queues and others. They are evaluated as they are rendered
(`gpuplane.admission.object_policies`), so that one that is new is judged as well. What another
object wraps, a controller creates. The pods of templates are judged as admission leaves them
(`gpuplane.lint.object_findings`).
"""

from collections.abc import Iterator, Mapping

from gpuplane.admission.object_policies import PolicyFinding
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from policies.admission import Effect

SEVERITIES: Mapping[Effect, LintSeverity] = {
    Effect.DENIED: LintSeverity.ERROR,
    Effect.FAILED: LintSeverity.ERROR,
    Effect.WARNED: LintSeverity.WARNING,
    Effect.AUDITED: LintSeverity.NOTE,
}


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if context.holder is None:
        yield from map(told, context.policies.findings(one.document, context.namespace))


def told(found: PolicyFinding) -> RuleFinding:
    message = f"By the policy {found.policy}: {found.message}"
    return RuleFinding(found.pointer, message, "", severity=SEVERITIES[found.effect])


RULE = LintRule(
    "admission-policies",
    "No policy of the API server refuses an object, or warns of it.",
    check,
    LintSeverity.ERROR,
)
