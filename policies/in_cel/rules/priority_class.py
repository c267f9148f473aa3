"""`policies.rules.priority_class` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import lines, text, texts
from policies.in_cel.patch import add, remove
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import shown
from policies.rule_name import RuleName
from policies.rules.priority_class import COMPUTED

if TYPE_CHECKING:
    from policies.settings import Settings

_NAMED = 'object.spec.?priorityClassName.orValue("")'
_ALLOWED = "variables.priority_class_allowed"
_BEGINNING = f'"The pod names priority class " + {shown(_NAMED)} + ", which "'
_REMEDY = (
    f'(size({_ALLOWED}) == 0 ? "Use another class." : "Use one of: " + {_ALLOWED}.join(", ") + ".")'
)


def _variables(settings: Settings) -> Variables:
    if not settings.namespaces:
        return {}
    allowed = {name: list(each.priorities) for name, each in settings.namespaces.items()}
    teams = {name: each.team for name, each in settings.namespaces.items()}
    return {
        "priority_class_teams": lines(teams),
        "priority_class_default": lines(_defaults(settings)),
        "priority_class_allowed": f"{lines(allowed)}[?request.namespace].orValue([])",
    }


def _refusals(settings: Settings) -> str:
    if not settings.namespaces:
        return ""
    reserved = f"{_NAMED} in {texts(settings.reserved_priority_classes)}"
    team = '"is not among those of team " + variables.priority_class_teams[request.namespace]'
    return (
        f'!(request.namespace in variables.priority_class_teams) || {_NAMED} == "" ? []'
        f' : {reserved} ? [{_BEGINNING} + "is reserved for the platform. " + {_REMEDY}]'
        f" : size({_ALLOWED}) > 0 && !({_NAMED} in {_ALLOWED})"
        f' ? [{_BEGINNING} + {team} + ". " + {_REMEDY}] : []'
    )


def _fixes(settings: Settings) -> str:
    if not _defaults(settings):
        return ""
    default = "variables.priority_class_default[request.namespace]"
    removed = "".join(
        f" + (has(object.spec.{field}) ? [{remove(text(f'/spec/{field}'))}] : [])"
        for field in COMPUTED
    )
    named = add(text("/spec/priorityClassName"), default)
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


RULE_IN_CEL = RuleInCel(
    RuleName.PRIORITY_CLASS, refusals=_refusals, fixes=_fixes, variables=_variables
)
