"""Which pods the API server shows to the admission webhook and to its own policies, in CEL.

A pod that no rule says anything about is kept away, and costs little. Rules fix only pods that ask
for GPUs, and most look at no others, so there are conditions for these alone, which read less. The
conditions let a pod through rather once too often: they ask for what a rule looks for, not for what
it finds. Each reads with optional steps, so that it is never in error on a field that is absent. A
pod too large to be read within the API server's budget would be kept away, so it is shown unread.
https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchconditions
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from gpus.allocator import DEVICE_CLASS_PREFIX
from gpus.catalog import load_catalog
from policies.cel.pod import (
    CONTAINERS,
    ENVIRONMENT,
    EXPRESSIONS,
    HAS_CLAIMS,
    IS_NO_STATIC_POD,
    LIMITS,
    NODE_NAME,
    NODE_SELECTOR,
    NODE_TERMS,
    REQUESTS,
    RUNTIME_CLASS,
    TOLERATIONS,
    USES_CLAIMS,
    VOLUMES,
)
from policies.cel.text import quote, texts
from policies.cel.variables import Variables
from policies.gpu_names import NAMES as DEVICE_VARIABLES
from policies.limits import MAX_EXPRESSIONS, MAX_NODE_SELECTOR_TERMS
from policies.settings import PoolSettings, Settings

# What an expression may cost is bounded. One that costs more is an error, by which the API server
# skips a webhook that fails open. So what grows with the pod has a bound here, above which a pod
# is shown whatever it holds: up to these bounds together, the conditions cost a fifth of what they
# may. `PerCallLimit` and `RuntimeCELCostBudgetMatchConditions` in
# https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/apis/cel/config.go
MAX_IN_POD: Mapping[str, int] = {
    CONTAINERS: 32,
    VOLUMES: 256,
    TOLERATIONS: 64,
    NODE_SELECTOR: 64,
    NODE_TERMS: MAX_NODE_SELECTOR_TERMS,
}
"""The longest list or map in a pod that is read."""
MAX_IN_CONTAINER: Mapping[str, int] = {LIMITS: 32, REQUESTS: 32, ENVIRONMENT: 256}
"""The longest in one of its containers."""
MAX_IN_TERM: Mapping[str, int] = {EXPRESSIONS: MAX_EXPRESSIONS}
"""The longest in one term of its node affinity."""
ASKING = frozenset({CONTAINERS, LIMITS, REQUESTS})
"""What shows whether a pod asks for GPUs."""
_ACCOUNT = 'request.namespace + "/" + object.spec.?serviceAccountName.orValue("default")'
_ASKS_FOR_CLAIMS = f"{HAS_CLAIMS} || {CONTAINERS}.exists(container, {USES_CLAIMS})"
MatchCondition: TypeAlias = dict[str, str]


def match_conditions(settings: Settings) -> list[MatchCondition]:
    """Return the conditions; a pod that meets all of them is judged."""
    return [
        IS_NO_STATIC_POD,
        {"name": "concerns-a-rule", "expression": " || ".join(_concerns(settings))},
    ]


def gpu_pod_conditions(settings: Settings) -> list[MatchCondition]:
    """Return the conditions; a pod that meets all of them may ask for GPUs, and may be fixed."""
    asks = (*is_large_to_ask(), _asks_for_gpus(_domains(settings.pools)), _ASKS_FOR_CLAIMS)
    return [IS_NO_STATIC_POD, {"name": "may-ask-for-gpus", "expression": " || ".join(asks)}]


def _concerns(settings: Settings) -> tuple[str, ...]:
    runtime_classes = texts({*settings.gpu_runtime_classes})
    # No key stands for all taints.
    keys = texts({"", *(taint.key for pool in settings.pools for taint in pool.taints)})
    labels = texts({key for pool in settings.pools for key, _ in pool.gpu_node_labels})
    return (
        *is_large(),
        # A pod that runs has a node in any case.
        f'request.operation == "CREATE" && {NODE_NAME} != ""',
        _asks_for_gpus(_domains(settings.pools)),
        _ASKS_FOR_CLAIMS,
        # By the beginnings of the names, as the rule has it.
        (
            f"{CONTAINERS}.exists(container, {ENVIRONMENT}.exists(variable,"
            f" {texts(DEVICE_VARIABLES)}.exists(name,"
            ' variable.?name.orValue("").startsWith(name))))'
        ),
        f"{VOLUMES}.exists(volume, has(volume.hostPath))",
        f"{RUNTIME_CLASS} in {runtime_classes}",
        f'{TOLERATIONS}.exists(toleration, toleration.?key.orValue("") in {keys})',
        f"{NODE_SELECTOR}.exists(label, label in {labels})",
        (
            f"{NODE_TERMS}.exists(term, {EXPRESSIONS}.exists(expression,"
            f' expression.?key.orValue("") in {labels}))'
        ),
    )


def _domains(pools: Iterable[PoolSettings]) -> set[str]:
    """Return the beginnings of the resources of every vendor, offered or not."""
    offered = (resource.name for pool in pools for resource in pool.resources)
    names = load_catalog().resources.union(offered)
    return {DEVICE_CLASS_PREFIX, *(f"{name.partition('/')[0]}/" for name in names)}


def _asks_for_gpus(domains: set[str]) -> str:
    """Return what is true of a pod that does.

    Every pod of the cluster is asked this. A macro over the domains takes 1.6 times as long, and a
    regular expression costs far more of the budget.
    """
    is_of_gpus = " || ".join(f"resource.startsWith({quote(each)})" for each in sorted(domains))
    return (
        f"{CONTAINERS}.exists(container, [{LIMITS}, {REQUESTS}].exists(amounts,"
        f" amounts.exists(resource, {is_of_gpus})))"
    )


def is_large() -> Iterator[str]:
    """Yield what is true of a large pod; each can be afforded where none before it is true."""
    yield _any_above(MAX_IN_POD)
    yield f"{CONTAINERS}.exists(container, {_any_above(MAX_IN_CONTAINER)})"
    yield f"{NODE_TERMS}.exists(term, {_any_above(MAX_IN_TERM)})"


def is_large_to_ask() -> Iterator[str]:
    """Yield the same where no more is read than whether the pod asks for GPUs."""
    yield _any_above(_asking(MAX_IN_POD))
    yield f"{CONTAINERS}.exists(container, {_any_above(_asking(MAX_IN_CONTAINER))})"


def _asking(bounds: Mapping[str, int]) -> Mapping[str, int]:
    return {field: most for field, most in bounds.items() if field in ASKING}


def _any_above(bounds: Mapping[str, int]) -> str:
    return " || ".join(f"size({field}) > {most}" for field, most in bounds.items())


def exemptions(settings: Settings) -> Variables:
    """Return conditions by name; the rules look at a pod that meets all of them.

    The selector of a policy leaves out namespaces, and its other conditions static pods.
    """
    conditions = {
        "is-not-ending": "!has(object.metadata.deletionTimestamp)",
        "is-not-for-windows": 'object.spec.?nodeSelector[?"kubernetes.io/os"].orValue("")'
        ' != "windows"',
    }
    if accounts := settings.exempt_service_accounts:
        conditions["is-not-exempt"] = f"!({_ACCOUNT} in {texts(accounts)})"
    return conditions
