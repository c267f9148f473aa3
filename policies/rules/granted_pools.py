"""GPU pods run only on the pools that their namespace may use.

A ResourceQuota counts a resource by its name, and cannot tell apart the pools that offer it. Nor
can it tell a node that is about to be cut into MIG instances from one with whole GPUs:
https://github.com/NVIDIA/gpu-operator/issues/2670
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import POOL
from policies.capacity import holds
from policies.finding import Severity
from policies.node_requirement import add_term, add_to_term
from policies.node_terms import may_meet, of_pool, read_selector, read_terms
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from policies.context import Context
    from policies.document import Document
    from policies.finding import Finding
    from policies.node_terms import Term
    from policies.offer import Offer
    from policies.operation import Operation
    from policies.pod import Pod
    from policies.settings import PoolSettings


def concerns(context: Context) -> bool:
    """Whether the namespace may use some pools only."""
    return context.namespace is not None and context.namespace.pools is not None


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Require a pool of the namespace; refuse a pod that can run on none of them.

    A pod that asks for a GPU resource names its pool, as nodes without labels do not have it. One
    that holds claims alone is only kept off other pools, those where claims get no GPU among them:
    what is claimed may be on any node, or be nothing.
    """
    granted = _granted(context)
    reach = context.reach(pod)
    if not pod.gpus:
        return _kept_off(pod, context) if pod.has_claims else ()
    for resource in pod.gpus:
        if resource not in context.offer.by_resource:
            return ()  # another rule refuses it
    allowed = [pool for pool in reach.pools if pool.name in granted]
    if not allowed:
        return (_refusal(pod, context),)
    # What narrows the pod further later, such as its annotations, leaves it on those it may use.
    if not [pool for pool in reach.landing if pool.name not in granted]:
        return ()
    # Where it is too much for all of them, another rule says so.
    names = [pool.name for pool in allowed if holds(pool, pod)] or [pool.name for pool in allowed]
    return _kept_to(pod, context, names)


def _granted(context: Context) -> frozenset[str]:
    return frozenset() if context.namespace is None else context.namespace.granted


def _kept_to(pod: Pod, context: Context, names: list[str]) -> tuple[Finding, ...]:
    requirement: Document = {"key": POOL, "operator": "In", "values": names}
    return _steered(
        _fix(pod, context.offer, requirement, {*names}, named=True),
        message=f"The pod may run on other pools than {', '.join(names)}, those of namespace "
        f"{context.namespace_name} that can hold it.",
        remedy=f"Require the node label {POOL} in spec.affinity.nodeAffinity.",
    )


def _kept_off(pod: Pod, context: Context) -> tuple[Finding, ...]:
    granted = _granted(context)
    pools = context.offer.pools
    allowed = {pool.name for pool in pools if pool.gives_to_claims and pool.name in granted}
    if all(pool.name in allowed for pool in context.reach(pod).landing):
        return ()
    others = [pool.name for pool in pools if pool.name not in allowed]
    requirement: Document = {"key": POOL, "operator": "NotIn", "values": others}
    return _steered(
        _fix(pod, context.offer, requirement, allowed, named=False),
        message="The pod holds claims and asks for no GPU resource, and may run on pools where "
        f"claims of namespace {context.namespace_name} get no GPU.",
        remedy=f"Exclude the node label {POOL} of these in spec.affinity.nodeAffinity.",
    )


def _steered(fix: tuple[Operation, ...], message: str, remedy: str) -> tuple[Finding, ...]:
    if not fix:
        return ()
    finding = RULE.finding(
        path="/spec/affinity", culprit="the pod", message=message, remedy=remedy, fix=fix
    )
    return (finding,)


def _fix(
    pod: Pod, offer: Offer, requirement: Document, allowed: Set[str], *, named: bool
) -> tuple[Operation, ...]:
    """Return the operations that add the requirement to each term that lets the pod elsewhere.

    Only its name excludes a pool for good, as the API server's own policy has it.
    """
    if not pod.node_terms:
        return add_term(pod, [requirement])
    others = [pool for pool in offer.pools if pool.name not in allowed]
    operations: list[Operation] = []
    for index, raw in enumerate(pod.node_terms):
        for term in read_terms([raw], offer.labels) or ():
            if _meets_any(others, of_pool(term, named=named)):
                operations += add_to_term(pod, index, [requirement])
    return tuple(operations)


def _meets_any(pools: Sequence[PoolSettings], term: Term) -> bool:
    for pool in pools:  # noqa: SIM110 # mypyc would make a list of a generator
        if may_meet(pool, term):
            return True
    return False


def _refusal(pod: Pod, context: Context) -> Finding:
    granted = _granted(context)
    pools = [pool for pool in context.offer.pools if pool.name in granted]
    offered = {resource.name for pool in pools for resource in pool.resources}
    lacking = [resource for resource in pod.gpus if resource not in offered]
    if lacking:
        return _unoffered(lacking, context, remedy_without(pools))
    able = [pool for pool in pools if {*pod.gpus} <= {each.name for each in pool.resources}]
    return _unselected(pod, context, able) if able else _scattered(pod, context)


def remedy_without(pools: Iterable[PoolSettings]) -> str:
    """Return what to ask for where these pools of a namespace do not offer it."""
    offered = sorted({resource.name for pool in pools for resource in pool.resources})
    if not offered:
        return "Add a pool to the quota of the namespace in the cluster file."
    return f"Ask for what they offer: {', '.join(offered)}."


def _unoffered(lacking: Sequence[str], context: Context, remedy: str) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path="/spec/containers",
        culprit="the pod",
        message=f"The pod asks for {', '.join(lacking)}, which no pool of namespace "
        f"{context.namespace_name} offers.",
        remedy=remedy,
    )


def _scattered(pod: Pod, context: Context) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path="/spec/containers",
        culprit="the pod",
        message=f"The pod asks for {' and '.join(pod.gpus)}, which no single pool of namespace "
        f"{context.namespace_name} offers together.",
        remedy="Split the pod into one for each pool.",
    )


def _unselected(pod: Pod, context: Context, able: Sequence[PoolSettings]) -> Finding:
    path = _excluding(pod, context.offer, able)
    return RULE.finding(
        severity=Severity.REFUSE,
        path=path,
        culprit="the pod",
        message=f"The pod selects no nodes of the pools of namespace {context.namespace_name} "
        f"that offer {', '.join(pod.gpus)}.",
        remedy=f"Select those of {' or '.join(pool.name for pool in able)}, or none, in "
        f"{path[1:].replace('/', '.')}.",
    )


def _excluding(pod: Pod, offer: Offer, able: Sequence[PoolSettings]) -> str:
    """Return the path of what excludes all of the pools: the node selector, or else affinity."""
    selector = read_selector(pod.node_selector, offer.labels)
    selected = any(may_meet(pool, selector) for pool in able)
    return "/spec/affinity" if selected else "/spec/nodeSelector"


RULE: Rule = Rule(
    RuleName.GRANTED_POOLS,
    summary="A GPU pod runs only on the pools that its namespace may use.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
    refuses_unfixed=True,
    concerns=concerns,
)
