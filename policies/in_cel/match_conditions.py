"""Which pods the API server shows to the admission webhook and to its own policies, in CEL.

A pod that no rule says anything about is kept away, and costs little. Rules fix only pods that ask
for GPUs, and most look at no others, so there are conditions for these alone, which read less. The
conditions let a pod through rather once too often: they ask for what a rule looks for, not for what
it finds. Each reads with optional steps, so that it is never in error on a field that is absent. A
pod too large to be read within the API server's budget would be kept away, so it is shown unread.
https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchconditions
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from gpus.allocator import DEVICE_CLASS_PREFIX
from gpus.catalog import load_catalog
from policies.device_variable import NAMES as DEVICE_VARIABLES
from policies.in_cel.large_pods import is_large, is_large_to_ask
from policies.in_cel.literal import text, texts
from policies.in_cel.pod_fields import (
    CONTAINERS,
    ENVIRONMENT,
    EXPRESSIONS,
    HAS_CLAIMS,
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
from policies.in_cel.rules.gpu_node_intrusion import gpu_node_labels
from policies.in_cel.static_pods import IS_NO_STATIC_POD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.settings import PoolSettings, Settings

MatchCondition: TypeAlias = dict[str, str]


def match_conditions(settings: Settings) -> list[MatchCondition]:
    """Return the conditions; a pod that meets all of them is judged."""
    return [
        IS_NO_STATIC_POD,
        {"name": "concerns-a-rule", "expression": " || ".join(_concerns(settings))},
    ]


def gpu_pod_conditions(settings: Settings) -> list[MatchCondition]:
    """Return the conditions; a pod that meets all of them may ask for GPUs, and may be fixed."""
    asks = (*is_large_to_ask(), _asks_for_gpus(_domains(settings.pools)), _asks_for_claims())
    return [IS_NO_STATIC_POD, {"name": "may-ask-for-gpus", "expression": " || ".join(asks)}]


def _concerns(settings: Settings) -> tuple[str, ...]:
    labels = gpu_node_labels(settings)
    return (
        *is_large(),
        _names_its_node(),
        _asks_for_gpus(_domains(settings.pools)),
        _asks_for_claims(),
        _sets_visible_devices(),
        f"{VOLUMES}.exists(volume, has(volume.hostPath))",
        _names_runtime_class({*settings.gpu_runtime_classes}),
        _tolerates({taint.key for pool in settings.pools for taint in pool.taints}),
        _selects(labels),
        _has_affinity(labels),
    )


def _names_its_node() -> str:
    """Return what is true of a new pod that does; a pod that runs has a node in any case."""
    return f'request.operation == "CREATE" && {NODE_NAME} != ""'


def _domains(pools: Iterable[PoolSettings]) -> set[str]:
    """Return the beginnings of the resources of every vendor, offered or not."""
    catalog = load_catalog()
    names = {
        *(vendor.resource for vendor in catalog.vendors.values()),
        *(catalog.resource_of(model) for model in catalog.models.values()),
        *(resource.name for pool in pools for resource in pool.resources),
    }
    return {DEVICE_CLASS_PREFIX, *(f"{name.partition('/')[0]}/" for name in names)}


def _asks_for_gpus(domains: set[str]) -> str:
    """Return what is true of a pod that does.

    Every pod of the cluster is asked this. A macro over the domains takes 1.6 times as long, and a
    regular expression costs far more of the budget.
    """
    is_of_gpus = " || ".join(f"resource.startsWith({text(each)})" for each in sorted(domains))
    return (
        f"{CONTAINERS}.exists(container, [{LIMITS}, {REQUESTS}].exists(amounts,"
        f" amounts.exists(resource, {is_of_gpus})))"
    )


def _asks_for_claims() -> str:
    return f"{HAS_CLAIMS} || {CONTAINERS}.exists(container, {USES_CLAIMS})"


def _sets_visible_devices() -> str:
    """Return what is true of a pod that sets any, by the names' beginnings, as the rule has it."""
    return (
        f"{CONTAINERS}.exists(container, {ENVIRONMENT}.exists(variable,"
        f" {texts(DEVICE_VARIABLES)}.exists(name,"
        ' variable.?name.orValue("").startsWith(name))))'
    )


def _names_runtime_class(names: set[str]) -> str:
    return f"{RUNTIME_CLASS} in {texts(names)}"


def _tolerates(keys: set[str]) -> str:
    """Return what is true of a pod that tolerates any of the taints; no key stands for all."""
    return f'{TOLERATIONS}.exists(toleration, toleration.?key.orValue("") in {texts({"", *keys})})'


def _selects(labels: set[str]) -> str:
    return f"{NODE_SELECTOR}.exists(label, label in {texts(labels)})"


def _has_affinity(labels: set[str]) -> str:
    return (
        f"{NODE_TERMS}.exists(term, {EXPRESSIONS}.exists(expression,"
        f' expression.?key.orValue("") in {texts(labels)}))'
    )
