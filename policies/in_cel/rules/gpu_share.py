"""`policies.rules.gpu_share` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.literal import lines
from policies.in_cel.reserved import reserved
from policies.in_cel.rule_in_cel import RuleInCel, Variables
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.settings import PoolSettings, Settings

_COUNT = "variables.gpu_share_count"
_RESOURCES = ("cpu", "memory")


def _node(pool: PoolSettings) -> list[float]:
    return [float(pool.cpu), float(pool.memory), float(pool.allocations)]


def _stranded(resource: str) -> str:
    """Return CEL for how many GPUs it strands on the pool where that is fewest."""
    request = f"variables.gpu_share_{resource}"
    node = f"variables.gpu_share_nodes[pool][{_RESOURCES.index(resource)}]"
    allocations = "variables.gpu_share_nodes[pool][2]"
    parts = f"[{request} * {allocations} / {node}, {allocations}].min()"
    # Rounded up: a share taken in part is lost.
    taken = f"(int({parts}) + (double(int({parts})) < {parts} ? 1 : 0))"
    suffices = f"{request} * {allocations} <= {node} * double({_COUNT})"
    return (
        "size(variables.reached) == 0 ? 0"
        f" : variables.reached.map(pool, {suffices} ? 0"
        f" : ({node} == 0.0 ? int({allocations}) : {taken}) - {_COUNT}).min()"
    )


def _variables(settings: Settings) -> Variables:
    if not settings.pools:
        return {}
    return {
        "gpu_share_nodes": lines({pool.name: _node(pool) for pool in settings.pools}),
        "gpu_share_count": "variables.amounts.sum()",
        **{f"gpu_share_{each}": reserved(each) for each in _RESOURCES},
        **{f"gpu_share_{each}_stranded": _stranded(each) for each in _RESOURCES},
    }


def _warnings(settings: Settings) -> str:
    if not settings.pools:
        return ""
    return " + ".join(map(_warning, _RESOURCES))


def _warning(resource: str) -> str:
    stranded = f"variables.gpu_share_{resource}_stranded"
    return (
        f'({stranded} <= 0 ? [] : ["The pod asks for more {resource} than the share of its "'
        f' + ({_COUNT} == 1 ? "1 GPU" : string({_COUNT}) + " GPUs") + ", which strands "'
        f' + string({stranded}) + " more on its node. Ask for less {resource}, or for those GPUs'
        ' as well."])'
    )


RULE_IN_CEL = RuleInCel(RuleName.GPU_SHARE, warnings=_warnings, variables=_variables)
