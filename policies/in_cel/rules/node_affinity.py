"""`policies.rules.node_affinity` in CEL: what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.label_value import LABEL_VALUE, MAX_LABEL_VALUE
from policies.in_cel.literal import text, texts
from policies.in_cel.node_requirement import STATES_SOMETHING, required, required_of_node
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.rules.node_affinity import KEYS

if TYPE_CHECKING:
    from policies.settings import Settings


def _said(key: str) -> str:
    """Return the variable that holds the values of an annotation."""
    return f"variables.node_affinity_{key.rpartition('/')[2].replace('-', '_')}"


def _known(key: str) -> str:
    return f"{_said(key)}_known"


def _values_in_term(key: str, condition: str) -> str:
    """Return CEL for whether a term requires some values of a label, of which this is true."""
    return (
        "term.?matchExpressions.orValue([]).exists(expression,"
        f" expression.key == {text(key)} && expression.operator == {text('In')}"
        f" && size(expression.?values.orValue([])) > 0 && {condition})"
    )


def _is_contradicted(key: str) -> str:
    elsewhere = f"!expression.values.exists(value, value in {_said(key)})"
    return (
        f"({text(key)} in variables.node_selector"
        f" && !(variables.node_selector[{text(key)}] in {_said(key)}))"
        " || (size(variables.terms) > 0"
        f" && variables.terms.all(term, {_values_in_term(key, elsewhere)}))"
    )


def _is_wrong(key: str) -> str:
    is_value = f"size(value) <= {MAX_LABEL_VALUE} && value.matches({text(f'^{LABEL_VALUE}$')})"
    return (
        f"size({_said(key)}) > 0"
        f" && (!{_said(key)}.all(value, {is_value}) || {_is_contradicted(key)})"
    )


def _is_had(key: str) -> str:
    return (
        f"(size({_said(key)}) == 0"
        f" || variables.pool_labels[pool][?{text(key)}].orValue({text('')}) in {_said(key)})"
    )


def _variables(settings: Settings) -> Variables:
    variables = {}
    for key in KEYS:
        label = f"{text(key)} in object.metadata.?annotations.orValue({{}})"
        split = f"object.metadata.annotations[{text(key)}].split({text(',')})"
        variables[_said(key).removeprefix("variables.")] = (
            f"{label} ? {split}.map(value, value.trim()).filter(value, value != {text('')}) : []"
        )
        labels = {pool.labels[key] for pool in settings.pools if key in pool.labels}
        variables[_known(key).removeprefix("variables.")] = (
            f"{_said(key)}.filter(value, value in {texts(labels)}).distinct()"
        )
    wrong = " || ".join(f"({_is_wrong(key)})" for key in KEYS)
    had = " && ".join(map(_is_had, KEYS))
    variables["node_affinity_missing"] = (
        f"({wrong}) || !variables.offering.exists(pool, {had}) ? [] : {_requirements('true')}"
    )
    return variables


def _requirements(condition: str) -> str:
    return f"({_requirements_of(dict.fromkeys(KEYS, condition))})"


def _requirements_of(conditions: dict[str, str]) -> str:
    return " + ".join(
        f"(size({_said(key)}) > 0 && !({text(key)} in variables.node_selector) && {condition}"
        f" ? [{required(key, 'In', _known(key))}] : [])"
        for key, condition in conditions.items()
    )


def _fixes(settings: Settings) -> str:
    if not settings.pools:
        return ""
    narrower = {
        key: "!" + _values_in_term(key, f"expression.values.all(value, value in {_known(key)})")
        for key in KEYS
    }
    lacking = f"({STATES_SOMETHING} ? {_requirements_of(narrower)} : [])"
    return required_of_node("variables.node_affinity_missing", lacking)


RULE_IN_CEL = RuleInCel(RuleName.NODE_AFFINITY, fixes=_fixes, variables=_variables)
