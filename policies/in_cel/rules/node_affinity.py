"""`policies.rules.node_affinity` in CEL; it does not say which name is nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.label_value import LABEL_VALUE, MAX_LABEL_VALUE
from policies.in_cel.literal import text, texts, texts_in_order
from policies.in_cel.node_requirement import required, required_of_node
from policies.in_cel.pod_fields import ANNOTATIONS, EXPRESSIONS, STATES_SOMETHING, VALUES
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.shown import listed, shown
from policies.rule_name import RuleName
from policies.rules.node_affinity import KEYS, REMEDY_OF_VALUES

if TYPE_CHECKING:
    from policies.settings import Settings

_WRONG = "variables.node_affinity_wrong"
_MISSING = "variables.node_affinity_missing"
_IMPOSSIBLE = "variables.node_affinity_impossible"
_IS_VALUE = f"(size(value) <= {MAX_LABEL_VALUE} && value.matches({text(f'^{LABEL_VALUE}$')}))"


def _said(key: str) -> str:
    """Return the variable that holds the values of an annotation."""
    return f"variables.node_affinity_{_short(key)}"


def _known(key: str) -> str:
    return f"{_said(key)}_known"


def _left(key: str) -> str:
    """Return the variable that holds the pools that meet an annotation and those before it."""
    return f"{_said(key)}_pools"


def _short(key: str) -> str:
    return key.rpartition("/")[2].replace("-", "_")


def _in_term(key: str, condition: str) -> str:
    """Return CEL for the expressions of a term that require values of a label, if this is true."""
    return (
        f"{EXPRESSIONS}.filter(expression,"
        f" expression.key == {key} && expression.operator == {text('In')}"
        f" && size({VALUES}) > 0 && {condition})"
    )


_SAID = "variables.node_affinity_said"
_ALL = "variables.node_affinity_values"
_ANNOTATED = '"The pod is annotated with " + key + " "'
_MALFORMED = f"{_ALL}[key].filter(value, !{_IS_VALUE})"
_SELECTED = "variables.node_selector[key]"
_IS_SELECTED = f"(key in variables.node_selector && !({_SELECTED} in {_ALL}[key]))"
_ELSEWHERE = _in_term("key", f"!expression.values.exists(value, value in {_ALL}[key])")
_IS_REQUIRED = (
    "(size(variables.terms) > 0"
    f" && variables.terms.all(term, {_ELSEWHERE}.exists(expression, true)))"
)


def _malformed() -> str:
    """Return CEL for the annotations that hold what can be no label."""
    return (
        f"{_SAID}.filter(key, {_MALFORMED}.exists(value, true)).map(key, {_ANNOTATED}"
        f" + {shown(f'{_MALFORMED}[0]')}"
        f" + {text(f', which no node label can be. {REMEDY_OF_VALUES}')})"
    )


def _contradicted() -> str:
    """Return CEL for the annotations that the pod's own node selector or affinity rules out."""
    first = f"[variables.terms[0]].map(term, {_ELSEWHERE}[0].values)[0]"
    own = (
        f'({_IS_SELECTED} ? "selector requires " + {shown(_SELECTED)}'
        f' : "affinity requires " + {listed(first, " or ")})'
    )
    return (
        f"{_SAID}.filter(key, {_IS_SELECTED} || {_IS_REQUIRED}).map(key, {_ANNOTATED}"
        f' + {listed(f"{_ALL}[key]", " or ")} + ", but its node " + {own}'
        ' + ". Keep one of them.")'
    )


def _has(key: str) -> str:
    return f"variables.pool_labels[pool][?{text(key)}].orValue({text('')}) in {_said(key)}"


def _offered(key: str, settings: Settings) -> str:
    """Return the values of a label on the nodes of pools."""
    return texts({pool.labels[key] for pool in settings.pools if key in pool.labels})


def _unmet(key: str, pools: str, settings: Settings) -> str:
    """Return CEL for an annotation that none of the pools meets."""
    offered = (
        f"{_offered(key, settings)}.filter(label, {pools}.exists(pool,"
        f" variables.pool_labels[pool][?{text(key)}].orValue({text('')}) == label))"
    )
    return (
        f"(size({_said(key)}) == 0 || {pools}.exists(pool, {_has(key)}) ? []"
        f' : ["The pod is annotated with {key} " + {listed(_said(key), " or ")}'
        ' + ", but no such pool offers what it asks for. Allowed: "'
        f' + [{offered}].map(names, size(names) > 0 ? names.join(", ") : "none")[0] + "."])'
    )


def _variables(settings: Settings) -> Variables:
    variables: dict[str, str] = {}
    pools, unmet = "variables.offering", list[str]()
    for key in KEYS:
        variables |= _of_annotation(key, pools, settings)
        unmet.append(_unmet(key, pools, settings))
        pools = _left(key)
    said = ", ".join(f"{text(key)}: {_said(key)}" for key in KEYS)
    variables |= {
        _ALL: f"{{{said}}}",
        _SAID: f"{texts_in_order(KEYS)}.filter(key, size({_ALL}[key]) > 0)",
        _WRONG: f"{_malformed()} + {_contradicted()}",
        _IMPOSSIBLE: f"size({_WRONG}) > 0 ? [] : {' + '.join(unmet)}",
        _MISSING: f"size({_WRONG}) + size({_IMPOSSIBLE}) > 0 ? []"
        f" : {_requirements(dict.fromkeys(KEYS, 'true'))}",
    }
    return {name.removeprefix("variables."): each for name, each in variables.items()}


def _of_annotation(key: str, pools: str, settings: Settings) -> Variables:
    """Return what is said by an annotation, what of that is known, and which pools meet it."""
    annotated = f"{text(key)} in {ANNOTATIONS}"
    values = f"object.metadata.annotations[{text(key)}].split({text(',')})"
    return {
        _said(key): f"{annotated} ? {values}.map(value, value.trim())"
        f".filter(value, value != {text('')}) : []",
        _known(key): f"{_said(key)}.filter(value, value in {_offered(key, settings)}).distinct()",
        _left(key): f"{pools}.exists(pool, {_has(key)})"
        f" ? {pools}.filter(pool, {_has(key)}) : {pools}",
    }


def _requirements(conditions: dict[str, str]) -> str:
    return " + ".join(
        f"(size({_said(key)}) > 0 && !({text(key)} in variables.node_selector) && {condition}"
        f" ? [{required(key, 'In', _known(key))}] : [])"
        for key, condition in conditions.items()
    )


def _refusals(settings: Settings) -> str:
    return f"{_WRONG} + {_IMPOSSIBLE}" if settings.pools else ""


def _fixes(settings: Settings) -> str:
    if not settings.pools:
        return ""
    narrower = {
        key: f"size({_in_term(text(key), condition)}) == 0"
        for key in KEYS
        for condition in [f"expression.values.all(value, value in {_known(key)})"]
    }
    lacking = f"({STATES_SOMETHING} ? {_requirements(narrower)} : [])"
    return required_of_node(_MISSING, lacking)


RULE_IN_CEL = RuleInCel(
    RuleName.NODE_AFFINITY, refusals=_refusals, fixes=_fixes, variables=_variables
)
