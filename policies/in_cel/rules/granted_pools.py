"""`policies.rules.granted_pools` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import POOL
from policies.in_cel.literal import lines, text, texts
from policies.in_cel.node_requirement import required, required_of_node
from policies.in_cel.placement_variables import MEETS_SELECTOR, OFFERS
from policies.in_cel.pod_fields import EXPRESSIONS, HAS_CLAIMS, STATES_SOMETHING, VALUES
from policies.in_cel.requests import IS_CREATED
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.rules.granted_pools import remedy_without

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from policies.settings import Settings

_GRANTED = "variables.granted_pools_granted"
_ALLOWED = "variables.granted_pools_allowed"
_KEPT = "variables.granted_pools_kept"
_LANDING = "variables.granted_pools_landing"
_REQUIREMENT = "variables.granted_pools_requirement"
_LACKING = "variables.granted_pools_lacking"
_ABLE = "variables.granted_pools_able"
_NAMES_POOL = f"variables.pool_labels[pool][?{text(POOL)}]"
# A node that has no label yet meets all but In: it keeps only pods with claims alone off a pool.
_MEETS = (
    f"(expression.key != {text(POOL)} || (expression.operator == {text('In')}"
    f" ? {_NAMES_POOL}.orValue({text('')}) in {VALUES} : size(variables.wanted) > 0"
    f" || (expression.operator == {text('NotIn')}"
    f" ? !({_NAMES_POOL}.orValue({text('')}) in {VALUES})"
    f" : expression.operator != {text('DoesNotExist')})))"
)
_TERM_MEETS = f"{EXPRESSIONS}.all(expression, {_MEETS})"
_SELECTED = (
    f"(!({text(POOL)} in variables.node_selector)"
    f" || {_NAMES_POOL}.orValue({text('')}) == variables.node_selector[{text(POOL)}])"
)
_SEPARATOR = ", "
_CONCERNED = "request.namespace in variables.granted_pools_by_namespace"
_WANTED = "size(variables.wanted) > 0"

_HOLDING = f"{_ALLOWED}.filter(pool, pool in variables.holding)"
_OTHERS = f"variables.pools.filter(pool, !(pool in {_KEPT}))"
_REQUIRED = (
    f"!({_CONCERNED}) || variables.unoffered ? []"
    f" : {_WANTED} ? (size({_ALLOWED}) == 0 || {_LANDING}.all(pool, pool in {_GRANTED}) ? []"
    f" : [{required(POOL, 'In', _KEPT)}])"
    f" : {HAS_CLAIMS} && {_LANDING}.exists(pool, !(pool in {_KEPT}))"
    f" ? [{required(POOL, 'NotIn', _OTHERS)}] : []"
)
"""CEL for what is required of the node, where the pod could run on pools of others."""


def _variables(settings: Settings) -> Variables:
    granted = _granted(settings)
    if not granted:
        return {}
    giving = texts(pool.name for pool in settings.pools if pool.gives_to_claims)
    return {
        "granted_pools_by_namespace": lines(granted),
        "granted_pools_remedies": lines(
            {_SEPARATOR.join(pools): _remedy(pools, settings) for pools in granted.values()}
        ),
        "granted_pools_granted": "variables.granted_pools_by_namespace[?request.namespace]"
        ".orValue([])",
        "granted_pools_landing": f"variables.pools.filter(pool, {_SELECTED}"
        " && (size(variables.stated_terms) == 0"
        f" || variables.terms.exists(term, {_TERM_MEETS})))",
        "granted_pools_allowed": f"variables.reached.filter(pool, pool in {_GRANTED})",
        "granted_pools_kept": f"!({_WANTED}) ? {_GRANTED}.filter(pool, pool in {giving})"
        f" : size({_HOLDING}) > 0 ? {_HOLDING} : {_ALLOWED}",
        "granted_pools_requirement": _REQUIRED,
        "granted_pools_lacking": "variables.wanted.filter(resource,"
        f" !{_GRANTED}.exists(pool, {OFFERS}))",
        "granted_pools_able": f"variables.pools.filter(pool, pool in {_GRANTED}"
        f" && variables.wanted.all(resource, {OFFERS}))",
    }


def _granted(settings: Settings) -> Mapping[str, list[str]]:
    return {
        name: list(each.pools)
        for name, each in settings.namespaces.items()
        if each.pools is not None
    }


def _refusals(settings: Settings) -> str:
    if not _granted(settings):
        return ""
    return (
        f"!({_CONCERNED}) || variables.unoffered ? []"
        f" : {_WANTED} && size({_ALLOWED}) == 0 ? [{_without_pool()}]"
        f" : {IS_CREATED} && size({_REQUIREMENT}) > 0 ? [{_unfixed()}] : []"
    )


def _remedy(pools: Collection[str], settings: Settings) -> str:
    """Return the remedy of a pod that asks for what none of these pools offers."""
    return remedy_without([pool for pool in settings.pools if pool.name in pools])


def _without_pool() -> str:
    """Return CEL for why none of the namespace's pools can take the pod."""
    excluding = f'({_ABLE}.exists(pool, {MEETS_SELECTOR}) ? "spec.affinity" : "spec.nodeSelector")'
    return (
        f'size({_LACKING}) > 0 ? "The pod asks for " + {_LACKING}.join(", ")'
        ' + ", which no pool of namespace " + request.namespace + " offers. "'
        f" + variables.granted_pools_remedies[{_GRANTED}.join({text(_SEPARATOR)})]"
        f' : size({_ABLE}) == 0 ? "The pod asks for " + variables.wanted.join(" and ")'
        ' + ", which no single pool of namespace " + request.namespace'
        ' + " offers together. Split the pod into one for each pool."'
        ' : "The pod selects no nodes of the pools of namespace " + request.namespace'
        f' + " that offer " + variables.wanted.join(", ") + ". Select those of "'
        f' + {_ABLE}.join(" or ") + ", or none, in " + {excluding} + "."'
    )


def _unfixed() -> str:
    """Return CEL for what a new pod may do that nobody has fixed."""
    return (
        f'{_WANTED} ? "The pod may run on other pools than " + {_KEPT}.join(", ")'
        ' + ", those of namespace " + request.namespace + " that can hold it. Require the node'
        f' label {POOL} in spec.affinity.nodeAffinity."'
        ' : "The pod holds claims and asks for no GPU resource, and may run on pools where claims'
        ' of namespace " + request.namespace + " get no GPU. Exclude the node label'
        f' {POOL} of these in spec.affinity.nodeAffinity."'
    )


def _fixes(settings: Settings) -> str:
    if not _granted(settings):
        return ""
    elsewhere = f"variables.pools.exists(pool, !(pool in {_KEPT}) && {_TERM_MEETS})"
    lacking = f"({STATES_SOMETHING} && {elsewhere} ? {_REQUIREMENT} : [])"
    return required_of_node(_REQUIREMENT, lacking)


RULE_IN_CEL = RuleInCel(
    RuleName.GRANTED_POOLS, refusals=_refusals, fixes=_fixes, variables=_variables
)
