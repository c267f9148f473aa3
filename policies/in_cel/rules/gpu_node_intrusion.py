"""`policies.rules.gpu_node_intrusion` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.agent import is_of_agent
from policies.in_cel.literal import texts
from policies.in_cel.pod_fields import EXPRESSIONS
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.in_cel.tolerating import is_tolerated
from policies.rule_name import RuleName
from policies.rules.gpu_node_intrusion import is_of_gpu_nodes

if TYPE_CHECKING:
    from policies.settings import Settings

_SELECTS = (
    "variables.gpu_node_intrusion_labels.exists(key, key in variables.pool_labels[pool]"
    " && key in variables.node_selector"
    " && variables.node_selector[key] == variables.pool_labels[pool][key])"
)
_REQUIRES = (
    f"variables.stated_terms.exists(term, {EXPRESSIONS}.exists(one,"
    " one.key in variables.gpu_node_intrusion_labels && one.key in variables.pool_labels[pool]"
    ' && (one.operator == "Exists" || (one.operator == "In"'
    " && variables.pool_labels[pool][one.key] in one.?values.orValue([])))))"
)
_TOLERATES = (
    "(size(variables.pool_taints[pool]) > 0 && pool in variables.selected"
    f" && variables.pool_taints[pool].all(taint, {is_tolerated('taint')}))"
)

_WAY = (
    f'{_SELECTS} ? ["selects the nodes", "spec.nodeSelector"]'
    f' : {_REQUIRES} ? ["selects the nodes", "spec.affinity.nodeAffinity"]'
    ' : ["tolerates the taints", "spec.tolerations"]'
)
_ASKED = (
    'variables.asks_for_gpu ? ["holds claims and asks for no GPU resource",'
    ' ", where claims get no GPU"] : ["asks for no GPU", ""]'
)


def gpu_node_labels(settings: Settings) -> set[str]:
    """Return the labels that distinguish the nodes of pools from others."""
    return {key for pool in settings.pools for key in pool.labels if is_of_gpu_nodes(key)}


def _variables(settings: Settings) -> Variables:
    giving = texts(pool.name for pool in settings.pools if pool.gives_to_claims)
    for_claims = f"(pool in {giving} || !(pool in variables.selected))"
    return {
        "gpu_node_intrusion_labels": texts(gpu_node_labels(settings)),
        "gpu_node_intrusion_found": "variables.asks_for_resource"
        f" || {is_of_agent(settings)} ? []"
        f" : variables.pools.filter(pool, !(variables.asks_for_gpu && {for_claims})"
        f" && ({_SELECTS} || {_REQUIRES} || {_TOLERATES}))",
    }


def _refusals(settings: Settings) -> str:
    if not settings.pools:
        return ""
    found = "variables.gpu_node_intrusion_found"
    return (
        f"size({found}) == 0 ? [] : [{found}[0]].map(pool, [{_WAY}].map(way, [{_ASKED}].map(asked,"
        ' "The pod " + asked[0] + ", but " + way[0] + " of pool " + pool + asked[1]'
        ' + ". Ask for a GPU resource, or remove that from " + way[1] + ".")[0])[0])'
    )


RULE_IN_CEL = RuleInCel(RuleName.GPU_NODE_INTRUSION, refusals=_refusals, variables=_variables)
