"""GPU pods run only on the pools that their namespace may use.

A ResourceQuota counts a resource by its name, and cannot tell apart the pools that offer it. Nor
can it tell a node that is about to be cut into MIG instances from one with whole GPUs:
https://github.com/NVIDIA/gpu-operator/issues/2670
"""

from collections.abc import Iterable, Sequence, Set

from gpus.platform_names import POOL
from policies.asked_place import asked_place
from policies.cel.placement import OFFERS, label_of_pool, pools_by_namespace
from policies.cel.pod import EXPRESSIONS, HAS_CLAIMS, IS_CREATED, STATES_SOMETHING, VALUES
from policies.cel.text import lines, quote, texts
from policies.cel.variables import Variables
from policies.document import Document
from policies.finding import Finding, Severity
from policies.fix import add_term, add_to_term, required, required_of_node
from policies.node_terms import Term, may_meet, of_pool, read_terms
from policies.operation import Operation
from policies.pod import Pod
from policies.reach import Offer, holds, offers_all
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings, offered_by
from policies.unmet_label import unselected, unselected_variables

_OTHER_POOLS = Message(
    "The pod may run on other pools than {names}, those of namespace {namespace} that can hold it.",
    f"Require the node label {POOL} in spec.affinity.nodeAffinity.",
)
_OTHER_CLAIMS = Message(
    "The pod holds claims and asks for no GPU resource, and may run on pools where claims of "
    "namespace {namespace} get no GPU.",
    f"Exclude the node label {POOL} of these in spec.affinity.nodeAffinity.",
)
_UNOFFERED = Message(
    "The pod asks for {resources}, which no pool of namespace {namespace} offers.", "{remedy}"
)
_SCATTERED = Message(
    "The pod asks for {resources}, which no single pool of namespace {namespace} offers together.",
    "Split the pod into one for each pool.",
)


def remedy_without(pools: Iterable[PoolSettings]) -> str:
    """Return what to ask for where these pools of a namespace do not offer it."""
    offered = offered_by(pools)
    if not offered:
        return "Add a pool to the quota of the namespace in the cluster file."
    return f"Ask for what they offer: {', '.join(offered)}."


def concerns(context: Context) -> bool:
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
    fix = _fix(pod, context.offer, requirement, {*names}, named=True)
    return _steered(fix, _OTHER_POOLS, context, ", ".join(names))


def _kept_off(pod: Pod, context: Context) -> tuple[Finding, ...]:
    granted = _granted(context)
    pools = context.offer.pools
    allowed = {pool.name for pool in pools if pool.gives_to_claims and pool.name in granted}
    if all(pool.name in allowed for pool in context.reach(pod).landing):
        return ()
    others = [pool.name for pool in pools if pool.name not in allowed]
    requirement: Document = {"key": POOL, "operator": "NotIn", "values": others}
    fix = _fix(pod, context.offer, requirement, allowed, named=False)
    return _steered(fix, _OTHER_CLAIMS, context)


def _steered(
    fix: tuple[Operation, ...], message: Message, context: Context, names: str = ""
) -> tuple[Finding, ...]:
    if not fix:
        return ()
    namespace, path = context.namespace_name, "/spec/affinity"
    return (RULE.finding(message, path=path, fix=fix, names=names, namespace=namespace),)


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
        for term in read_terms([raw], offer.labels, pod.node_selector) or ():
            if _meets_any(others, of_pool(term, named=named)):
                operations += add_to_term(pod, index, [requirement])
    return tuple(operations)


def _meets_any(pools: Sequence[PoolSettings], term: Term) -> bool:
    for pool in pools:  # noqa: SIM110 # mypyc would make a list of a generator
        if may_meet(pool, term):
            return True
    return False


def _refusal(pod: Pod, context: Context) -> Finding:
    granted, namespace = _granted(context), context.namespace_name
    pools = [pool for pool in context.offer.pools if pool.name in granted]
    offered = offered_by(pools)
    lacking = [resource for resource in pod.gpus if resource not in offered]
    if lacking:
        path = asked_place(pod, lacking[0])
        values = {
            "resources": ", ".join(lacking),
            "namespace": namespace,
            "remedy": remedy_without(pools),
        }
        return RULE.finding(_UNOFFERED, path=path, values=values)
    able = [pool for pool in pools if offers_all(pool, pod.gpus)]
    if not able:
        resources, path = " and ".join(pod.gpus), asked_place(pod, next(iter(pod.gpus)))
        return RULE.finding(_SCATTERED, path=path, resources=resources, namespace=namespace)
    return unselected(RULE, pod, able, context.offer, f"namespace {namespace}")


_PREFIX = "granted_pools"
_UNSELECTED = f"variables.{_PREFIX}_unselected"
_GRANTED = "variables.granted_pools_granted"
_ALLOWED = "variables.granted_pools_allowed"
_KEPT = "variables.granted_pools_kept"
_LANDING = "variables.granted_pools_landing"
_REQUIREMENT = "variables.granted_pools_requirement"
_LACKING = "variables.granted_pools_lacking"
_ABLE = "variables.granted_pools_able"
_POOL = label_of_pool(POOL)
# A node that has no label yet meets all but In: it keeps only pods with claims alone off a pool.
_MEETS = (
    f"(expression.key != {quote(POOL)} || (expression.operator == {quote('In')}"
    f" ? {_POOL} in {VALUES} : size(variables.wanted) > 0"
    f" || (expression.operator == {quote('NotIn')}"
    f" ? !({_POOL} in {VALUES})"
    f" : expression.operator != {quote('DoesNotExist')})))"
)
_TERM_MEETS = f"{EXPRESSIONS}.all(expression, {_MEETS})"
_SELECTED = (
    f"(!({quote(POOL)} in variables.node_selector)"
    f" || {_POOL} == variables.node_selector[{quote(POOL)}])"
)
_SEPARATOR = ", "
_CONCERNED = "request.namespace in variables.pools_by_namespace"
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
    giving = texts(pool.name for pool in settings.pools if pool.gives_to_claims)
    return {
        "granted_pools_remedies": lines(
            {
                _SEPARATOR.join(names): remedy_without(p for p in settings.pools if p.name in names)
                for names in pools_by_namespace(settings).values()
            }
        ),
        "granted_pools_granted": "variables.pools_by_namespace[?request.namespace].orValue([])",
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
        **unselected_variables(_PREFIX, _ABLE, f"{quote('namespace ')} + request.namespace"),
    }


def _refusals_in_cel(_: Settings) -> str:
    return (
        f"!({_CONCERNED}) || variables.unoffered ? []"
        f" : {_WANTED} && size({_ALLOWED}) == 0 ? [{_without_pool()}]"
        f" : {IS_CREATED} && size({_REQUIREMENT}) > 0 ? [{_unfixed()}] : []"
    )


def _without_pool() -> str:
    unoffered = _UNOFFERED.in_cel(
        resources=f'{_LACKING}.join(", ")',
        remedy=f"variables.granted_pools_remedies[{_GRANTED}.join({quote(_SEPARATOR)})]",
    )
    scattered = _SCATTERED.in_cel(resources='variables.wanted.join(" and ")')
    return f"size({_LACKING}) > 0 ? {unoffered} : size({_ABLE}) == 0 ? {scattered} : {_UNSELECTED}"


def _unfixed() -> str:
    other_pools = _OTHER_POOLS.in_cel(names=f'{_KEPT}.join(", ")')
    return f"{_WANTED} ? {other_pools} : {_OTHER_CLAIMS.in_cel()}"


def _fixes_in_cel(_: Settings) -> str:
    elsewhere = f"variables.pools.exists(pool, !(pool in {_KEPT}) && {_TERM_MEETS})"
    lacking = f"({STATES_SOMETHING} && {elsewhere} ? {_REQUIREMENT} : [])"
    return required_of_node(_REQUIREMENT, lacking)


RULE: Rule = Rule(
    RuleName.GRANTED_POOLS,
    summary="A GPU pod runs only on the pools that its namespace may use.",
    severity=Severity.FIX,
    evaluate=evaluate,
    refuses_unfixed=True,
    applies=lambda settings: bool(pools_by_namespace(settings)),
    concerns=concerns,
    in_cel=InCel(refusals=_refusals_in_cel, fixes=_fixes_in_cel, variables=_variables),
)
