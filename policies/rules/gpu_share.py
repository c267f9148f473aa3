"""A pod takes no more of its node's CPU and memory than the share of its GPUs.

What it takes beyond that is missing for the node's other GPUs, which are then paid for but idle.
"""

from collections.abc import Iterable, Iterator

from gpus.sharing import SharingKind
from policies.asked_place import asked_place
from policies.cel.amounts import most_in_cel
from policies.cel.placement import by_pool
from policies.cel.text import quote, texts
from policies.cel.variables import Variables
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.quantity import MILLI, Quantity, format_most
from policies.reach import BOUNDED, SHARED, holds, lacking
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

_BEYOND = Message(
    "The pod asks for more {resource} than the share of its {gpus}, which strands {stranded} more "
    "on its node.",
    "Ask for at most {most} of {resource}{more}.",
)
_MORE = ", or for {total} GPUs"
_ONE_EACH = SHARED | {SharingKind.MIG}
"""The ways of sharing of which a process uses one allocation: of several MIG instances, CUDA sees
the first (https://docs.nvidia.com/datacenter/tesla/mig-user-guide/#cuda-visible-devices)."""


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    pools = context.reach(pod).pools
    if not pools:
        return ()
    count = int(sum(pod.gpus.values()))
    beyond = [name for name in BOUNDED if not _suffices(pod, name, count, pools)]
    return _findings(pod, beyond, count, context) if beyond else ()


def _requested(pod: Pod, resource: str) -> Quantity:
    """Return what the pod asks for, of CPUs in thousandths."""
    request = pod.effective_request(resource)
    return request * MILLI if resource == "cpu" else request


def _node(pool: PoolSettings, resource: str) -> int:
    return pool.millicpu if resource == "cpu" else pool.memory


def _suffices(pod: Pod, resource: str, count: int, pools: Iterable[PoolSettings]) -> bool:
    request = _requested(pod, resource)
    for pool in pools:  # noqa: SIM110 # a generator costs as much as its work
        if request * pool.allocations <= _node(pool, resource) * count:
            return True
    return False


def _findings(
    pod: Pod, resources: Iterable[str], count: int, context: Context
) -> Iterator[Finding]:
    """Yield what it strands, on the pool where that is fewest of those that have room for it."""
    names = context.offer.bounded_others
    pools = [
        pool
        for pool in context.reach(pod).pools
        if holds(pool, pod) and not lacking(pool, pod, names)
    ]
    gpus = "1 GPU" if count == 1 else f"{count} GPUs"
    for resource in resources:
        request = _requested(pod, resource)
        stranded = [_taken(pool, resource, request) - count for pool in pools]
        if stranded and (fewest := min(stranded)) > 0:
            pool = pools[stranded.index(fewest)]
            share = _node(pool, resource) * count // pool.allocations
            yield RULE.finding(
                _BEYOND,
                path=asked_place(pod, resource),
                resource=resource,
                gpus=gpus,
                stranded=fewest,
                most=format_most(resource, share),
                more=_MORE.format(total=count + fewest) if _has(pool, pod, count + fewest) else "",
            )


def _taken(pool: PoolSettings, resource: str, request: Quantity) -> int:
    """Return of how many allocations of a node it takes the share; one in part is lost."""
    allocations, node = pool.allocations, _node(pool, resource)
    return min(-(-request * allocations // node), allocations) if node else allocations


def _has(pool: PoolSettings, pod: Pod, count: int) -> bool:
    """Whether a pod can ask for so many GPUs instead; of shares and MIG instances, one is used."""
    if len(pod.gpus) > 1:
        return False
    for resource in pool.resources:
        if resource.name in pod.gpus and resource.sharing not in _ONE_EACH:
            return count <= resource.per_node
    return False


_COUNT = "variables.gpu_share_count"
_POOLS = "variables.gpu_share_pools"


def _node_in_cel(resource: str) -> str:
    return f"variables.gpu_share_nodes[pool][{BOUNDED.index(resource)}]"


_ALLOCATIONS = "variables.gpu_share_nodes[pool][2]"


def _request_in_cel(resource: str) -> str:
    return f"variables.requested[{BOUNDED.index(resource)}]"


def _stranded_in_cel(resource: str) -> str:
    """Return CEL for how many GPUs it strands on each pool that has room for it."""
    request, node = _request_in_cel(resource), _node_in_cel(resource)
    parts = f"[{request} * {_ALLOCATIONS} / {node}, {_ALLOCATIONS}].min()"
    # Rounded up: a share taken in part is lost.
    taken = f"(int({parts}) + (double(int({parts})) < {parts} ? 1 : 0))"
    suffices = f"{request} * {_ALLOCATIONS} <= {node} * double({_COUNT})"
    return (
        f"variables.reached.exists(pool, {suffices}) ? []"
        f" : {_POOLS}.map(pool, ({node} == 0.0 ? int({_ALLOCATIONS}) : {taken}) - {_COUNT})"
    )


def _variables(settings: Settings) -> Variables:
    return {
        "gpu_share_nodes": by_pool(
            settings.pools,
            lambda pool: [float(each) for each in (pool.millicpu, pool.memory, pool.allocations)],
        ),
        "gpu_share_count": "variables.amounts.sum()",
        "gpu_share_pools": "lists.range(size(variables.holding)).filter(at,"
        " size(variables.lacking[at]) == 0).map(at, variables.holding[at])",
        **{f"gpu_share_{each}_stranded": _stranded_in_cel(each) for each in BOUNDED},
    }


def _warning_in_cel(resource: str, settings: Settings) -> str:
    stranded = f"variables.gpu_share_{resource}_stranded"
    share = f"int({_node_in_cel(resource)} * double({_COUNT}) / {_ALLOCATIONS})"
    total = f"({_COUNT} + {stranded}.min())"
    name = "variables.wanted[0]"
    ways = {each.sharing for pool in settings.pools for each in pool.resources}
    is_shared = f"variables.sharing[pool][{name}] in {texts(SHARED | (_ONE_EACH & ways))}"
    has_more = (
        f"size(variables.wanted) == 1 && !({is_shared})"
        f" && {total} <= variables.per_node[pool][{name}]"
    )
    before, after = _MORE.split("{total}")
    found = _BEYOND.filled(resource=resource).in_cel(
        gpus=f'({_COUNT} == 1 ? "1 GPU" : string({_COUNT}) + " GPUs")',
        stranded=f"string({stranded}.min())",
        most=most_in_cel(resource, share),
        more=f'({has_more} ? {quote(before)} + string({total}) + {quote(after)} : "")',
    )
    at = f"{stranded}.indexOf({stranded}.min())"
    return (
        f"(size({stranded}) == 0 || {stranded}.min() <= 0 ? []"
        f" : [{_POOLS}[{at}]].map(pool, {found}))"
    )


def _warnings_in_cel(settings: Settings) -> str:
    return " + ".join(_warning_in_cel(each, settings) for each in BOUNDED)


RULE: Rule = Rule(
    RuleName.GPU_SHARE,
    summary="A pod asks for no more CPU and memory than its GPUs' share of a node.",
    severity=Severity.WARN,
    evaluate=evaluate,
    applies=lambda settings: bool(settings.pools),
    in_cel=InCel(warnings=_warnings_in_cel, variables=_variables),
)
