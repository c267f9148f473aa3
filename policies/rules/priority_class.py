"""GPU pods have the priority that their team may use.

A webhook that sets the class must remove the priority that the API server computed before: its
admission plugin runs again and refuses a number that differs from that of the class. Source:
https://github.com/kubernetes/kubernetes/blob/master/plugin/pkg/admission/priority/admission.go
"""

from collections.abc import Collection, Iterable

from gpus.nearest import nearest, nearest_hint
from policies.cel.patch import add, remove
from policies.cel.text import lines, quote, shown_in_cel, texts
from policies.cel.variables import Variables
from policies.document import shown, text
from policies.finding import Finding, Severity
from policies.fix import put
from policies.operation import Operation
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import NamespaceSettings, Settings

COMPUTED = ("priority", "preemptionPolicy")
"""Fields that the API server fills from the class."""
_UNNAMED = Message("The pod names no priority class.", "Set spec.priorityClassName to {default}.")
_FOREIGN = Message("The {subject} names priority class {named}, which", "{reason}")
_RESERVED = Message("is reserved for the platform.", "{remedy}")
"""A reason; CEL joins it to the beginning."""
_OF_OTHERS = Message("is not among those of team {team}.", "{remedy}")
"""Likewise."""


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
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
        return (_refusal(subject, path, name, _RESERVED, namespace),)
    if namespace.priorities and name not in namespace.priorities:
        return (_refusal(subject, path, name, _OF_OTHERS, namespace),)
    return ()


def _default(pod: Pod, namespace: NamespaceSettings) -> tuple[Finding, ...]:
    if namespace.default_priority is None:
        return ()
    fix = put(pod.document, "", ("spec", "priorityClassName"), namespace.default_priority)
    if not fix:
        return ()
    computed = [name for name in COMPUTED if name in pod.spec]
    fix = (*fix, *(Operation("remove", f"/spec/{name}") for name in computed))
    default, path = namespace.default_priority, "/spec/priorityClassName"
    return (RULE.finding(_UNNAMED, path=path, default=default, fix=fix),)


def _refusal(
    subject: str, path: str, name: str, reason: Message, namespace: NamespaceSettings
) -> Finding:
    allowed = namespace.priorities
    hint = nearest_hint(nearest(name, allowed)[:1])
    return RULE.finding(
        Message(f"{_FOREIGN.problem} {reason.problem}", reason.remedy),
        path=path,
        culprit=f"the {subject}",
        subject=subject,
        named=shown(name),
        team=namespace.team,
        remedy=f"Use one of: {', '.join(allowed)}{hint}." if allowed else "Use another class.",
    )


_NAMED = 'object.spec.?priorityClassName.orValue("")'
_ALLOWED = "variables.priority_class_allowed"
_REMEDY = (
    f'(size({_ALLOWED}) == 0 ? "Use another class." : "Use one of: " + {_ALLOWED}.join(", ") + ".")'
)


def _variables(settings: Settings) -> Variables:
    allowed = {name: list(each.priorities) for name, each in settings.namespaces.items()}
    teams = {name: each.team for name, each in settings.namespaces.items()}
    return {
        "priority_class_teams": lines(teams),
        "priority_class_default": lines(_defaults(settings)),
        "priority_class_allowed": f"{lines(allowed)}[?request.namespace].orValue([])",
    }


def _refusals_in_cel(settings: Settings) -> str:
    reserved = f"{_NAMED} in {texts(settings.reserved_priority_classes)}"
    refusal, named = _FOREIGN.filled(subject="pod"), shown_in_cel(_NAMED)
    is_reserved = refusal.in_cel(named=named, reason=_RESERVED.in_cel(remedy=_REMEDY))
    team = "variables.priority_class_teams[request.namespace]"
    of_others = _OF_OTHERS.in_cel(team=team, remedy=_REMEDY)
    is_foreign = refusal.in_cel(named=named, reason=of_others)
    return (
        f'!(request.namespace in variables.priority_class_teams) || {_NAMED} == "" ? []'
        f" : {reserved} ? [{is_reserved}]"
        f" : size({_ALLOWED}) > 0 && !({_NAMED} in {_ALLOWED}) ? [{is_foreign}] : []"
    )


def _fixes_in_cel(settings: Settings) -> str:
    if not _defaults(settings):
        return ""
    default = "variables.priority_class_default[request.namespace]"
    removed = "".join(
        f" + (has(object.spec.{field}) ? [{remove(quote(f'/spec/{field}'))}] : [])"
        for field in COMPUTED
    )
    named = add(quote("/spec/priorityClassName"), default)
    return (
        f'{_NAMED} != "" || !(request.namespace in variables.priority_class_default) ? []'
        f" : [{named}]{removed}"
    )


def _defaults(settings: Settings) -> dict[str, str]:
    return {
        name: each.default_priority
        for name, each in settings.namespaces.items()
        if each.default_priority is not None
    }


RULE: Rule = Rule(
    RuleName.PRIORITY_CLASS,
    summary="A GPU pod has a priority class that its team may use.",
    severity=Severity.FIX,
    evaluate=evaluate,
    applies=lambda settings: bool(settings.namespaces),
    in_cel=InCel(refusals=_refusals_in_cel, fixes=_fixes_in_cel, variables=_variables),
)
