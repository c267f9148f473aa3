"""`policies.rules.team_labels` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import lines, text, texts_in_order
from policies.in_cel.patch import add, token
from policies.in_cel.pod_fields import LABELS
from policies.in_cel.requests import IS_CREATED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import shown
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_KEYS = "variables.team_labels_keys"
_EXPECTED = "variables.team_labels_values[key][request.namespace]"
_MISSING = f"{_KEYS}.filter(key, !(key in {LABELS}))"


def _variables(settings: Settings) -> Variables:
    """Return the variables, of which one for each label has its values by namespace.

    All of them in one would soon be longer than CEL reads.
    """
    names = {key: f"team_labels_{number}" for number, key in enumerate(_keys(settings), start=1)}
    if not names:
        return {}
    values = ", ".join(f"{text(key)}: variables.{name}" for key, name in names.items())
    return {
        **{name: _values(key, settings) for key, name in names.items()},
        "team_labels_values": f"{{{values}}}",
        "team_labels_keys": f"{texts_in_order(names)}"
        ".filter(key, request.namespace in variables.team_labels_values[key])",
    }


def _keys(settings: Settings) -> tuple[str, ...]:
    """Return the labels that any namespace has a value of, in the order of the namespaces'."""
    return tuple(dict.fromkeys(key for each in settings.namespaces.values() for key in each.labels))


def _values(key: str, settings: Settings) -> str:
    namespaces = settings.namespaces.items()
    return lines({name: each.labels[key] for name, each in namespaces if key in each.labels})


def _refusals(settings: Settings) -> str:
    if not _keys(settings):
        return ""
    return (
        f"{_KEYS}.filter(key, key in {LABELS} && {LABELS}[key] != {_EXPECTED}).map(key,"
        f' "The pod is labelled " + key + " " + {shown(f"{LABELS}[key]")}'
        f' + ", but its namespace belongs to " + {_EXPECTED} + ". Set the label to "'
        f' + {_EXPECTED} + ", or leave it out.")'
        f' + (!{IS_CREATED} || size({_MISSING}) == 0 ? [] : ["The pod lacks the labels "'
        f' + {_MISSING}.join(", ") + " of its team. Add them to metadata.labels."])'
    )


def _fixes(settings: Settings) -> str:
    if not _keys(settings):
        return ""
    labels = text("/metadata/labels")
    added = add(f'{labels} + "/" + {token("key")}', _EXPECTED)
    return (
        f"(has(object.metadata.labels) || size({_KEYS}) == 0 ? [] : [{add(labels, '{}')}])"
        f" + {_MISSING}.map(key, {added})"
    )


RULE_IN_CEL = RuleInCel(
    RuleName.TEAM_LABELS,
    refusals=_refusals,
    fixes=_fixes,
    fixes_updates=True,
    variables=_variables,
)
