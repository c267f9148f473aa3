"""The rules on pods in CEL, a policy for each of the API server's actions.

One policy holds all the rules on which the same is done: the API server prepares the object anew
for each policy, and what rules read of a pod is computed once within one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.admission_policies.policy import Policy, named
from charts_py.components.webhook_configuration.match_conditions import match_conditions
from charts_py.platform.judged_namespaces import judged_namespaces
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.action import Action
from policies.in_cel.cluster_rules import Findings, cluster_variables, findings_by
from policies.in_cel.exemption import exemptions
from policies.in_cel.variables import before, needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from policies.in_cel.rule_in_cel import Variables
    from policies.settings import Settings

_PODS = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["CREATE", "UPDATE"],
    "resources": ["pods", "pods/ephemeralcontainers", "pods/resize"],
}
_NAMES = {Action.DENY: "denied", Action.WARN: "warned", Action.AUDIT: "audited"}
_NEW = 'variables.found.all(found, request.operation == "UPDATE" && found in variables.old_found)'
_LONG = (
    "The pod breaks rules of this platform, in more words than fit here: gpuplane admit has them."
)


def pods_policies(settings: Settings) -> Iterator[Policy]:
    """Yield the policy of each action that is taken on what some rule finds."""
    for action in Action:
        if findings := findings_by(action, settings):
            yield _policy(action, findings, settings)


def _policy(action: Action, findings: Sequence[Findings], settings: Settings) -> Policy:
    return Policy(
        name=f"pods-{_NAMES[action]}.{LABEL_PREFIX}",
        namespaces=judged_namespaces(settings),
        rule=_PODS,
        body={
            "matchConditions": of_pods(settings),
            "variables": named(_variables(findings, settings)),
            "validations": [
                {
                    "expression": _NEW,
                    "messageExpression": 'variables.found.join(" ")',
                    "message": _LONG,
                    "reason": "Forbidden",
                }
            ],
        },
        action=action,
    )


def _variables(findings: Sequence[Findings], settings: Settings) -> Variables:
    """Return what is found, and what was found before an update, which is not its fault."""
    found = " + ".join(each.expression for each in findings)
    read = {**needed([found], cluster_variables(settings)), "found": found}
    return {**read, **before(read)}


def of_pods(settings: Settings) -> list[dict[str, str]]:
    """Return the conditions that a pod meets which the rules say anything about."""
    return [*named(exemptions(settings)), *match_conditions(settings)]
