"""`policies.rules.gpus_per_node` in CEL."""

from policies.in_cel.placement_variables import AMOUNT, OFFERS, most_per_node
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName
from policies.settings import Settings

_LIMIT = most_per_node("variables.offering", "resource")
_ANYWHERE = most_per_node("variables.pools", "resource")
_POOLS = f'variables.offering.filter(pool, {OFFERS}).join(", ")'


def _variables(_settings: Settings) -> Variables:
    offered = f"variables.offering.exists(pool, {OFFERS})"
    return {
        "gpus_per_node_exceeded": f"variables.wanted.filter(resource, {offered}"
        f" && {AMOUNT} > {_LIMIT})"
    }


def _refusals(_settings: Settings) -> str:
    return (
        'variables.gpus_per_node_exceeded.map(resource, "The pod asks for "'
        f' + string({AMOUNT}) + " of " + resource'
        f' + ", but the largest node" + ({_LIMIT} < {_ANYWHERE}'
        f' ? " of " + {_POOLS} + ", which it can run on," : "")'
        f' + " has " + string({_LIMIT}) + ". Ask for at most " + string({_LIMIT})'
        ' + ", and spread the work over several pods.")'
    )


RULE_IN_CEL = RuleInCel(RuleName.GPUS_PER_NODE, refusals=_refusals, variables=_variables)
