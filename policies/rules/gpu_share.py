"""A pod takes no more of its node's CPU and memory than the share of its GPUs.

What it takes beyond that is missing for the node's other GPUs, which are then paid for but idle.
"""

from collections.abc import Iterable, Sequence

from policies.cel.placement import reserved
from policies.cel.text import lines
from policies.cel.variables import Variables
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.quantity import Quantity
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

_RESOURCES = ("cpu", "memory")
_BEYOND = Message(
    "The pod asks for more {resource} than the share of its {gpus}, which strands {stranded} more "
    "on its node.",
    "Ask for less {resource}, or for those GPUs as well.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Warn of CPU or memory requests that strand GPUs on every pool that it can run on."""
    pools = context.reach(pod).pools
    if not pools:
        return ()
    count = sum(pod.gpus.values())
    gpus = "1 GPU" if count == 1 else f"{count} GPUs"
    stranded = {
        resource: _stranded(pod.effective_request(resource), resource, count, pools)
        for resource in _RESOURCES
    }
    return [
        RULE.finding(_BEYOND, path="/spec/containers", resource=name, gpus=gpus, stranded=number)
        for name, number in stranded.items()
        if number
    ]


def _stranded(
    request: Quantity, resource: str, count: Quantity, pools: Sequence[PoolSettings]
) -> int:
    """Return how many GPUs it strands, on the pool where that is fewest."""
    least: int | None = None
    for pool in pools:
        node = pool.cpu if resource == "cpu" else pool.memory
        allocations = pool.allocations
        if request * allocations <= node * count:
            return 0
        # Rounded up: a share taken in part is lost.
        taken = min(-(-request * allocations // node), allocations) if node else allocations
        stranded = taken - -(-count // 1)
        least = stranded if least is None else min(least, stranded)
    return max(least or 0, 0)


_COUNT = "variables.gpu_share_count"


def _stranded_in_cel(resource: str) -> str:
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
    nodes = {
        pool.name: [float(each) for each in (pool.cpu, pool.memory, pool.allocations)]
        for pool in settings.pools
    }
    return {
        "gpu_share_nodes": lines(nodes),
        "gpu_share_count": "variables.amounts.sum()",
        **{f"gpu_share_{each}": reserved(each) for each in _RESOURCES},
        **{f"gpu_share_{each}_stranded": _stranded_in_cel(each) for each in _RESOURCES},
    }


def _warnings_in_cel(settings: Settings) -> str:
    if not settings.pools:
        return ""
    return " + ".join(map(_warning_in_cel, _RESOURCES))


def _warning_in_cel(resource: str) -> str:
    stranded = f"variables.gpu_share_{resource}_stranded"
    found = _BEYOND.filled(resource=resource).in_cel(
        gpus=f'({_COUNT} == 1 ? "1 GPU" : string({_COUNT}) + " GPUs")',
        stranded=f"string({stranded})",
    )
    return f"({stranded} <= 0 ? [] : [{found}])"


RULE: Rule = Rule(
    RuleName.GPU_SHARE,
    summary="A pod asks for no more CPU and memory than its GPUs' share of a node.",
    severity=Severity.WARN,
    evaluate=evaluate,
    in_cel=InCel(warnings=_warnings_in_cel, variables=_variables),
)
