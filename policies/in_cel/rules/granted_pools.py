"""`policies.rules.granted_pools` in CEL: what it adds.

Policies of their own refuse what it would keep off, wherever a quota does not:
`charts_py.components.admission_policies.granted_pools`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import POOL
from policies.in_cel.literal import lines, text
from policies.in_cel.node_requirement import STATES_SOMETHING, required, required_of_node
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import Settings

_GRANTED = "variables.granted_pools_granted"
_KEPT = "variables.granted_pools_kept"
_LANDING = "variables.granted_pools_landing"
_REQUIREMENT = "variables.granted_pools_requirement"
_NAMES_POOL = f"variables.pool_labels[pool][?{text(POOL)}]"
_VALUES = "expression.?values.orValue([])"
# A node that has no label yet meets all but In: it keeps only pods with claims alone off a pool.
_MEETS = (
    f"(expression.key != {text(POOL)} || (expression.operator == {text('In')}"
    f" ? {_NAMES_POOL}.orValue({text('')}) in {_VALUES} : size(variables.wanted) > 0"
    f" || (expression.operator == {text('NotIn')}"
    f" ? !({_NAMES_POOL}.orValue({text('')}) in {_VALUES})"
    f" : expression.operator != {text('DoesNotExist')})))"
)
_TERM_MEETS = f"term.?matchExpressions.orValue([]).all(expression, {_MEETS})"
_SELECTED = (
    f"(!({text(POOL)} in variables.node_selector)"
    f" || {_NAMES_POOL}.orValue({text('')}) == variables.node_selector[{text(POOL)}])"
)


def _variables(settings: Settings) -> Variables:
    granted = {
        name: list(each.pools)
        for name, each in settings.namespaces.items()
        if each.pools is not None
    }
    if not granted:
        return {}
    allowed = f"variables.reached.filter(pool, pool in {_GRANTED})"
    holding = f"{allowed}.filter(pool, pool in variables.holding)"
    others = f"variables.pools.filter(pool, !(pool in {_GRANTED}))"
    return {
        "granted_pools_by_namespace": lines(granted),
        "granted_pools_granted": "variables.granted_pools_by_namespace[?request.namespace]"
        ".orValue([])",
        "granted_pools_landing": f"variables.pools.filter(pool, {_SELECTED}"
        " && (size(variables.stated_terms) == 0"
        f" || variables.terms.exists(term, {_TERM_MEETS})))",
        "granted_pools_kept": f"size(variables.wanted) == 0 ? {_GRANTED}"
        f" : size({holding}) > 0 ? {holding} : {allowed}",
        "granted_pools_requirement": "!(request.namespace in variables.granted_pools_by_namespace)"
        " || variables.unoffered ? []"
        f" : size(variables.wanted) > 0 ? (size({_KEPT}) in [0, size({_LANDING})] ? []"
        f" : [{required(POOL, 'In', _KEPT)}])"
        " : size(object.spec.?resourceClaims.orValue([])) > 0"
        f" && {_LANDING}.exists(pool, !(pool in {_GRANTED}))"
        f" ? [{required(POOL, 'NotIn', others)}] : []",
    }


def _fixes(settings: Settings) -> str:
    if not _variables(settings):
        return ""
    elsewhere = f"variables.pools.exists(pool, !(pool in {_KEPT}) && {_TERM_MEETS})"
    lacking = f"({STATES_SOMETHING} && {elsewhere} ? {_REQUIREMENT} : [])"
    return required_of_node(_REQUIREMENT, lacking)


RULE_IN_CEL = RuleInCel(RuleName.GRANTED_POOLS, fixes=_fixes, variables=_variables)
