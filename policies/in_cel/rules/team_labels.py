"""`policies.rules.team_labels` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import lines, text
from policies.in_cel.patch import add, token
from policies.in_cel.pod_fields import LABELS
from policies.in_cel.requests import IS_CREATED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import shown
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_EXPECTED = "variables.team_labels_expected"
_KEYS = "variables.team_labels_keys"


def _variables(settings: Settings) -> Variables:
    expected = {
        name: dict(each.labels) for name, each in settings.namespaces.items() if each.labels
    }
    if not expected:
        return {}
    keys = {name: list(labels) for name, labels in expected.items()}
    return {
        "team_labels_expected": f"{lines(expected)}[?request.namespace].orValue({{}})",
        "team_labels_keys": f"{lines(keys)}[?request.namespace].orValue([])",
    }


def _refusals(settings: Settings) -> str:
    if not _variables(settings):
        return ""
    missing = f"{_KEYS}.filter(key, !(key in {LABELS}))"
    return (
        f"{_KEYS}.filter(key, key in {LABELS} && {LABELS}[key] != {_EXPECTED}[key]).map(key,"
        f' "The pod is labelled " + key + " " + {shown(f"{LABELS}[key]")}'
        f' + ", but its namespace belongs to " + {_EXPECTED}[key] + ". Set the label to "'
        f' + {_EXPECTED}[key] + ", or leave it out.")'
        f' + (!{IS_CREATED} || size({missing}) == 0 ? [] : ["The pod lacks the labels "'
        f' + {missing}.join(", ")'
        ' + " of its team. Add them to metadata.labels."])'
    )


def _fixes(settings: Settings) -> str:
    if not _variables(settings):
        return ""
    path = f'"/metadata/labels/" + {token("key")}'
    return (
        f"!has(object.metadata.labels) ? (size({_KEYS}) == 0 ? []"
        f" : [{add(text('/metadata/labels'), _EXPECTED)}])"
        f" : {_KEYS}.filter(key, !(key in {LABELS})).map(key, {add(path, f'{_EXPECTED}[key]')})"
    )


RULE_IN_CEL = RuleInCel(
    RuleName.TEAM_LABELS,
    refusals=_refusals,
    fixes=_fixes,
    fixes_updates=True,
    variables=_variables,
)
