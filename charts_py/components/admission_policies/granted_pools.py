"""The rule granted-pools in CEL alone, where the API server judges pods by no other rule.

It is for the namespaces whose quota cannot stand in for it.

A policy for each set of pools refuses a GPU pod that can land on any pool of others. What these
offer does not matter: a claim can be for the GPUs of any, and a node that is about to be cut into
MIG instances offers whole GPUs until it is cut, as docs/policies/granted-pools.md says. The label
of the pool alone keeps a pod off: others are those of several pools, and the tools of a GPU's maker
change their own. The rule sees to it, which changes or refuses all other pods.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from charts_py.components.admission_policy import Policy, is_enforced, named, requests, validation
from charts_py.components.webhook.server import NAME as WEBHOOK
from charts_py.platform.platform_namespaces import only
from gpus.platform_names import LABEL_PREFIX, POOL
from policies.cel.gpus import AMOUNTS
from policies.cel.pod import (
    CLAIMS,
    EXPRESSIONS,
    INIT_CONTAINERS,
    IS_NO_STATIC_POD,
    NODE_SELECTOR,
    NODE_TERMS,
    STATES_SOMETHING,
    VALUES,
)
from policies.cel.text import quote, texts
from policies.in_cel.match_conditions import exemptions
from policies.limits import MAX_ADDED_EXPRESSIONS, MAX_EXPRESSIONS, MAX_NODE_SELECTOR_TERMS
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

_POOL = quote(POOL)
_CONTAINERS = f"(object.spec.containers + {INIT_CONTAINERS})"
_MAX_EXPRESSIONS = MAX_EXPRESSIONS + MAX_ADDED_EXPRESSIONS
_MAX_NAMING = 4 * MAX_NODE_SELECTOR_TERMS
"""Expressions that name pools, in all terms. Each costs up to 22 at each pool, and the API server
evaluates up to 1,000,000: `PerCallLimit` in k8s.io/apiserver v0.37.1 pkg/apis/cel/config.go."""
_FEW_TERMS = (
    f"(size({NODE_TERMS}) <= {MAX_NODE_SELECTOR_TERMS}"
    f" && {NODE_TERMS}.all(term, size({EXPRESSIONS}) <= {_MAX_EXPRESSIONS}))"
)
# A term that states nothing matches no node.
_NARROWED = (
    f"{NODE_TERMS}.filter(term, {STATES_SOMETHING})"
    f".map(term, {EXPRESSIONS}.filter(expression, expression.key == {_POOL}))"
)
_FEW_NAMING = f"{_NARROWED}.map(naming, size(naming)).sum() <= {_MAX_NAMING}"
_SELECTOR_EXCLUDES = f"({_POOL} in selector && selector[{_POOL}] != pool)"
# A node that has no label yet meets all but In: it keeps only pods with claims alone off a pool.
_EXPRESSION_EXCLUDES = (
    f'expression.operator == "In" ? !(pool in {VALUES})'
    " : size(wanted) == 0"
    f' && ((expression.operator == "NotIn" && pool in {VALUES})'
    ' || expression.operator == "DoesNotExist")'
)
_TERMS_EXCLUDE = (
    f"(size({NODE_TERMS}) > 0 && narrowed.all(expressions,"
    f" expressions.exists(expression, {_EXPRESSION_EXCLUDES})))"
)


@dataclass(frozen=True, slots=True)
class Grant:
    """Pools, and the namespaces that may use these and no others."""

    pools: tuple[str, ...]
    namespaces: tuple[str, ...]
    """Sorted; at least one."""


def granted_pools_policies(settings: Settings) -> Iterator[Policy]:
    """Yield a policy for each set of pools that some namespaces may use.

    A quota cannot keep their pods off the pools of others. Namespaces that may use the same pools
    share a policy, so that none grows with their number.

    It is named after the first of its namespaces, so that another grant of the same namespace
    changes it in its place. It has no variables, by which policies can end an API server before
    Kubernetes 1.36: https://github.com/kubernetes/kubernetes/issues/135757
    """
    for grant in grants_of(settings):
        yield Policy(
            name=f"{RuleName.GRANTED_POOLS}.{grant.namespaces[0]}.{LABEL_PREFIX}",
            namespaces=only(grant.namespaces),
            rule=requests("", "pods", operations=("CREATE",)),
            conditions=(IS_NO_STATIC_POD, *named(exemptions(settings))),
            validations=[*_validations(settings, grant.pools)],
        )


def _validations(settings: Settings, granted: Sequence[str]) -> Iterator[dict[str, str]]:
    wanted = _wanted(settings)
    asks = f"(size({wanted}) + size({CLAIMS}) > 0)"
    # What is too much goes first: CEL refuses what costs too much, and says nothing of the pod.
    yield validation(
        f"!{asks} || {_FEW_TERMS}",
        f"GPU pods of this namespace have at most {MAX_NODE_SELECTOR_TERMS} node selector terms, "
        f"of at most {_MAX_EXPRESSIONS} expressions, in spec.affinity.nodeAffinity.",
    )
    yield validation(
        f"!{asks} || !{_FEW_TERMS} || {_FEW_NAMING}",
        f"GPU pods of this namespace have at most {_MAX_NAMING} expressions of the node label "
        f"{POOL} in spec.affinity.nodeAffinity; name several pools in one.",
    )
    others = texts(pool.name for pool in settings.pools if pool.name not in granted)
    yield validation(
        f"!{asks} || !({_FEW_TERMS} && {_FEW_NAMING}) || [{wanted}].all(wanted,"
        f" [{NODE_SELECTOR}].all(selector, [{_NARROWED}].all(narrowed,"
        f" {others}.all(pool, {_SELECTOR_EXCLUDES} || {_TERMS_EXCLUDE}))))",
        f"GPU pods of this namespace run on {', '.join(granted)} only; require the node label "
        f"{POOL} with one of them in spec.nodeSelector or spec.affinity.nodeAffinity. The "
        f"admission webhook {WEBHOOK} adds that where it answers.",
    )


def _wanted(settings: Settings) -> str:
    resources = {resource.name for pool in settings.pools for resource in pool.resources}
    return (
        f"{texts(resources)}.filter(resource, {_CONTAINERS}.exists(container,"
        f" {AMOUNTS}.exists(amounts, resource in amounts"
        ' && string(amounts[resource]) != "0")))'
    )


def grants_of(settings: Settings) -> tuple[Grant, ...]:
    """Return what is granted, by the first namespace of each grant.

    It holds the namespaces in which the rule is enforced, without an exception, and beside whose
    pools others have GPUs of the same vendor. What these offer does not matter: until its GPUs are
    cut or shared as its pool says, a node advertises others, and their names may be those that the
    namespace has a quota of. GPUs of another vendor never have the same names.
    """
    names: dict[tuple[str, ...], list[str]] = {}
    for name, namespace in sorted(settings.namespaces.items()):
        if (
            namespace.pools
            and is_enforced(settings, RuleName.GRANTED_POOLS, name)
            and _is_ambiguous(settings.pools, namespace.pools)
        ):
            names.setdefault(tuple(sorted(namespace.pools)), []).append(name)
    return tuple(Grant(pools, tuple(namespaces)) for pools, namespaces in names.items())


def _is_ambiguous(pools: Iterable[PoolSettings], granted: tuple[str, ...]) -> bool:
    own, others = set[str](), set[str]()
    for pool in pools:
        (own if pool.name in granted else others).add(pool.vendor)
    return bool(own & others)
