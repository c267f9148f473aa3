"""The rules on pods in CEL, a policy for each of the API server's actions.

One policy holds all rules that lead to the same action. The API server prepares the object anew for
each policy. Within a policy it computes what rules read of a pod twice, whatever the decision is:
for the decision, and for the message. So a policy is about no more namespaces and pods than its
rules are. `Validate` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/validator.go
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from charts_py.components.admission_policy import (
    MutatingPolicy,
    Policy,
    json_patch,
    named,
    requests,
    validation,
)
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL, judged_namespaces
from charts_py.platform.wave import SYNC_WAVE
from gpus.platform_names import FIXED, LABEL_PREFIX
from policies.cel.variables import Variables, before, needed
from policies.finding import Severity
from policies.in_cel.action import Action, taken_in
from policies.in_cel.cluster_fixes import IS_RENAMED, KEEPS_NAMES, fix_stages, fix_variables
from policies.in_cel.cluster_rules import AUDIENCES, Findings, cluster_variables, findings_by
from policies.in_cel.judged_annotation import IS_ANNOTATED, REMOVED, is_unjudged
from policies.in_cel.match_conditions import (
    MatchCondition,
    exemptions,
    gpu_pod_conditions,
    match_conditions,
)
from policies.rule import Audience
from policies.settings import Settings

FIXES_POLICY = f"pods-fixed.{LABEL_PREFIX}"
KEPT_POLICY = f"fixed-annotation-kept.{LABEL_PREFIX}"
UNJUDGED_POLICY = f"pods-unjudged.{LABEL_PREFIX}"
PODS = requests("", "pods", "pods/ephemeralcontainers", "pods/resize")
NAMES = {Action.DENY: "denied", Action.WARN: "warned", Action.AUDIT: "audited"}
_NEW = (
    'variables.found.all(found, request.operation == "UPDATE" && found in variables.found_before)'
)
_LONG = (
    "The pod breaks rules of this platform, in more words than fit here: gpuplane admit has them."
)
MAX_MESSAGE = 3800
"""Characters. Above 5120 bytes the API server says `_LONG` in place of a message, and where all
warnings of an answer have more than 4096 characters it cuts each to 256, its own words included:
`MaxEvaluatedMessageExpressionSizeBytes` and `maxWarningLength` in
https://github.com/kubernetes/kubernetes/tree/v1.37.1/staging/src/k8s.io/apiserver"""
FEW = 6
"""Findings that are listed where all would be too long."""
_SAID = (
    f'[variables.found.join(" ")].map(said, size(said) <= {MAX_MESSAGE} ? said'
    f' : variables.found.filter(found, variables.found.indexOf(found) < {FEW}).join(" ")'
    f' + " And " + string(size(variables.found) - {FEW}) + " more: gpuplane admit has them.")[0]'
)


def pods_policies(settings: Settings, *, behind_webhook: bool = False) -> Iterator[Policy]:
    """Yield the policy of each action that is taken on what some rule finds.

    Behind the webhook they leave out the new pods that it has judged.
    """
    unjudged = is_unjudged(settings) if behind_webhook else None
    for action in Action:
        if findings := findings_by(action, settings):
            policy = _policy(action, findings, settings)
            yield policy if unjudged is None else _of_those(unjudged, policy)


def _of_those(unjudged: str, policy: Policy) -> Policy:
    """Return the same for pods that the webhook has not judged.

    The API server evaluates all of several conditions, so this is one, which ends at its beginning.
    """
    conditions = [unjudged, *(each["expression"] for each in policy.conditions)]
    judged = {"is-to-be-judged": " && ".join(f"({each})" for each in conditions)}
    return replace(policy, conditions=named(judged))


def _policy(action: Action, findings: Sequence[Findings], settings: Settings) -> Policy:
    return Policy(
        name=f"pods-{NAMES[action]}.{LABEL_PREFIX}",
        namespaces=namespaces_of(
            action, [(each.rule, each.severity) for each in findings], settings
        ),
        rule=PODS,
        conditions=(*named(exemptions(settings)), *_conditions(findings, settings)),
        variables=_variables(findings, settings),
        validations=(validation(_NEW, _LONG, computed=_SAID),),
        action=action,
    )


def namespaces_of(
    action: Action, rules: Iterable[tuple[str, Severity]], settings: Settings
) -> Mapping[str, Any]:
    """Return the selector of the namespaces where any rule's findings lead to the action."""
    names = set[str]()
    judged = judged_namespaces(settings)
    for rule, severity in rules:
        some = taken_in(action, rule, severity, settings)
        if some is None:
            return judged
        names |= some
    expression = {"key": NAMESPACE_NAME_LABEL, "operator": "In", "values": sorted(names)}
    return {"matchExpressions": [expression, *judged["matchExpressions"]]}


def _conditions(findings: Sequence[Findings], settings: Settings) -> list[MatchCondition]:
    """Return what a pod meets which the rules say anything about."""
    of_gpu_pods = all(AUDIENCES[each.rule] is Audience.GPU_PODS for each in findings)
    return gpu_pod_conditions(settings) if of_gpu_pods else match_conditions(settings)


def _variables(findings: Sequence[Findings], settings: Settings) -> Variables:
    """Return what is found, and what was found before an update, which is not its fault."""
    found = " + ".join(each.expression for each in findings)
    read = {**needed([found], cluster_variables(settings)), "found": found}
    return {**read, **before(read)}


def fixes_policies(settings: Settings) -> Iterator[MutatingPolicy]:
    """Yield the policy by which the API server itself fixes pods, where some rule fixes something.

    Each stage of fixes is a mutation: the API server writes the pod and reads it again for each.
    """
    if stages := fix_stages(settings):
        yield MutatingPolicy(
            name=FIXES_POLICY,
            namespaces=judged_namespaces(settings),
            rule=requests("", "pods", "pods/ephemeralcontainers"),
            conditions=(*named(exemptions(settings)), *gpu_pod_conditions(settings)),
            variables=needed(stages, fix_variables(settings)),
            # What must hold, another policy validates.
            mutations=[json_patch(stage) for stage in stages],
        )


def kept_policy(settings: Settings) -> Policy:
    """Return what refuses updates of pods that say which rules fixed them.

    Admission alone knows that. A new pod is not judged: by then its own words stand among those of
    admission.
    """
    said = f"The annotation {FIXED} names the rules that fixed the pod, and admission writes it."
    return Policy(
        name=KEPT_POLICY,
        namespaces=judged_namespaces(settings),
        rule=requests("", "pods", operations=("UPDATE",)),
        conditions=(*named(exemptions(settings)), *named({"is-renamed": IS_RENAMED})),
        validations=(validation(KEEPS_NAMES, f"{said} Leave it as it is."),),
    )


def unjudged_policy(settings: Settings) -> MutatingPolicy:
    """Return what removes from arriving pods the annotation by which the webhook vouches for them.

    It is about all pods that the policies of the rules judge.
    """
    return MutatingPolicy(
        name=UNJUDGED_POLICY,
        namespaces=judged_namespaces(settings),
        rule=requests("", "pods", operations=("CREATE",)),
        conditions=named({"is-annotated": IS_ANNOTATED}),
        mutations=({"patchType": "JSONPatch", "jsonPatch": {"expression": REMOVED}},),
        failure_policy="Fail",
        # The second time the annotation is the webhook's.
        reinvocation_policy="Never",
        # No policy heeds the annotation before nobody else can set it.
        annotations={SYNC_WAVE: "-1"},
    )
