"""A pod asks for no more GPUs than one node has of those that it can run on.

A pod runs on one node; using more GPUs takes several pods, such as the workers of a training job.
"""

from collections.abc import Iterable, Iterator

from policies.asked_place import asked_place
from policies.cel.placement import AMOUNT, OFFERS, most_per_node
from policies.finding import Finding
from policies.pod import Pod
from policies.reach import ResourceOffer
from policies.rule import Context, InCel, Message, Rule, always
from policies.rule_name import RuleName

_TOO_MANY = Message(
    "The pod asks for {amount} of {resource}, but the largest node{where} has {limit}.",
    "Ask for at most {limit}, and spread the work over several pods.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    offered = context.reach(pod).offered
    beyond = [
        resource
        for resource, amount in pod.gpus.items()
        if resource in offered and amount > _limit(pod, resource, offered[resource])
    ]
    return _refusals(pod, beyond, context) if beyond else ()


def _limit(pod: Pod, resource: str, offer: ResourceOffer) -> int:
    """Return how much of it one node has; what is shared gives a container one share alone."""
    if offer.max_unshared < offer.max_per_node:
        for container in pod.gpu_containers:
            if (container.gpus.get(resource) or 0) > 1:
                return offer.max_unshared
    return offer.max_per_node


def _refusals(pod: Pod, resources: Iterable[str], context: Context) -> Iterator[Finding]:
    offered, anywhere = context.reach(pod).offered, context.offer.by_resource
    for resource in resources:
        limit = _limit(pod, resource, offered[resource])
        if limit:  # else all of it is shared, which another rule refuses
            is_less = limit < _limit(pod, resource, anywhere[resource])
            yield _refusal(pod, resource, offered[resource], limit, is_less=is_less)


def _refusal(
    pod: Pod, resource: str, reached: ResourceOffer, limit: int, *, is_less: bool
) -> Finding:
    pools = ", ".join([pool.name for pool in reached.pools])
    where = f" of {pools}, which it can run on," if is_less else ""
    return RULE.finding(
        _TOO_MANY,
        path=asked_place(pod, resource),
        amount=pod.gpus[resource],
        resource=resource,
        where=where,
        limit=limit,
    )


_LIMIT = most_per_node("variables.offering", "resource")
_ANYWHERE = most_per_node("variables.pools", "resource")
_POOLS = f'variables.offering.filter(pool, {OFFERS}).join(", ")'

_FOUND = _TOO_MANY.in_cel(
    amount=f"string({AMOUNT})",
    resource="resource",
    where=f'({_LIMIT} < {_ANYWHERE} ? " of " + {_POOLS} + ", which it can run on," : "")',
    limit=f"string({_LIMIT})",
)
_VARIABLES = {
    "gpus_per_node_exceeded": "variables.wanted.filter(resource,"
    f" variables.offering.exists(pool, {OFFERS}) && {_LIMIT} > 0 && {AMOUNT} > {_LIMIT})"
}

RULE: Rule = Rule(
    RuleName.GPUS_PER_NODE,
    summary="A pod asks for no more of a GPU resource than the largest node has that it can use.",
    evaluate=evaluate,
    in_cel=InCel(
        refusals=always(f"variables.gpus_per_node_exceeded.map(resource, {_FOUND})"),
        variables=always(_VARIABLES),
    ),
)
