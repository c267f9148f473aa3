"""The rule granted-pools in CEL, for the namespaces whose quota cannot stand in for it.

It refuses what can land on a pool of others that offers what the pod asks for, and reads node
selectors and node affinity as the rule does, which changes or refuses all such pods.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from charts_py.components.webhook.server import NAME as WEBHOOK
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpus.platform_names import LABEL_PREFIX, POOL
from policies.mode import Mode
from policies.pod import STATIC_POD
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from policies.settings import NamespaceSettings, PoolSettings, Settings

NAME = f"{RuleName.GRANTED_POOLS}.{LABEL_PREFIX}"
_OURS = json.dumps(f"{LABEL_PREFIX}/")
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_CONTAINERS = "(object.spec.containers + object.spec.?initContainers.orValue([]))"
_AMOUNTS = "[container.?resources.?limits.orValue({}), container.?resources.?requests.orValue({})]"

_SELECTOR_EXCLUDES = (
    "variables.selector.exists(key, key in variables.labels[pool]"
    " ? variables.selector[key] != variables.labels[pool][key]"
    f" : key.startsWith({_OURS}))"
)
_EXPRESSION_EXCLUDES = (
    "(expression.key in variables.labels[pool]"
    ' ? (expression.operator == "In"'
    " && !(variables.labels[pool][expression.key] in expression.?values.orValue([])))"
    ' || (expression.operator == "NotIn"'
    " && variables.labels[pool][expression.key] in expression.?values.orValue([]))"
    ' || expression.operator == "DoesNotExist"'
    f" : expression.key.startsWith({_OURS})"
    ' && expression.operator in ["In", "Exists"])'
)
_TERMS_EXCLUDE = (
    "(size(variables.terms) > 0 && variables.terms.all(term,"
    " size(term.?matchExpressions.orValue([])) + size(term.?matchFields.orValue([])) == 0"
    f" || term.?matchExpressions.orValue([]).exists(expression, {_EXPRESSION_EXCLUDES})))"
)


def grants_of(settings: Settings) -> Mapping[str, tuple[str, ...]]:
    """Return the pools of each namespace that this is about, by its name.

    Those are the namespaces in which the rule is enforced, without an exception, and whose pools
    offer a resource that a pool of others offers, too.
    """
    return {
        name: namespace.pools
        for name, namespace in sorted(settings.namespaces.items())
        if namespace.pools
        and _is_enforced(settings, name, namespace)
        and _is_ambiguous(settings.pools, namespace.pools)
    }


def policy_spec(settings: Settings) -> dict[str, Any]:
    """Return the spec of the ValidatingAdmissionPolicy; there must be grants."""
    return {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": _in(grants_of(settings)),
            "resourceRules": [
                {
                    "apiGroups": [""],
                    "apiVersions": ["v1"],
                    "operations": ["CREATE"],
                    "resources": ["pods"],
                    "scope": "Namespaced",
                }
            ],
        },
        "matchConditions": _match_conditions(settings),
        "variables": [
            {"name": name, "expression": expression}
            for name, expression in _variables(settings).items()
        ],
        "validations": [_validation(settings)],
    }


def binding_spec(settings: Settings) -> dict[str, Any]:
    """Return the spec of the ValidatingAdmissionPolicyBinding."""
    return {
        "policyName": NAME,
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": _in(grants_of(settings))},
    }


def _in(namespaces: Iterable[str]) -> dict[str, Any]:
    expression = {"key": NAMESPACE_NAME_LABEL, "operator": "In", "values": list(namespaces)}
    return {"matchExpressions": [expression]}


def _is_enforced(settings: Settings, name: str, namespace: NamespaceSettings) -> bool:
    rule = RuleName.GRANTED_POOLS
    mode = namespace.modes.get(rule, settings.modes.get(rule, settings.mode))
    # What has no clock cannot see an exception expire.
    excepted = any((each.rule, each.namespace) == (rule, name) for each in settings.exceptions)
    return mode is Mode.ENFORCE and not excepted


def _is_ambiguous(pools: Iterable[PoolSettings], granted: tuple[str, ...]) -> bool:
    own, others = set[str](), set[str]()
    for pool in pools:
        side = own if pool.name in granted else others
        side.update(resource.name for resource in pool.resources)
    return bool(own & others)


def _match_conditions(settings: Settings) -> list[dict[str, str]]:
    conditions = {
        "is-not-a-static-pod": f'!("{STATIC_POD}" in object.metadata.?annotations.orValue({{}}))'
    }
    if accounts := settings.exempt_service_accounts:
        account = 'object.spec.?serviceAccountName.orValue("default")'
        conditions["is-not-exempt"] = (
            f'!(request.namespace + "/" + {account} in {_text(sorted(accounts))})'
        )
    return [{"name": name, "expression": each} for name, each in conditions.items()]


def _variables(settings: Settings) -> dict[str, str]:
    """Return the expression of each variable; one sees those before it."""
    offered = {p.name: sorted(r.name for r in p.resources) for p in settings.pools if p.resources}
    resources = sorted({name for names in offered.values() for name in names})
    terms = f"object.spec.?affinity.?nodeAffinity.?{_REQUIRED}.?nodeSelectorTerms.orValue([])"
    return {
        "granted": f"{_text(grants_of(settings))}[request.namespace]",
        "offered": _text(offered),
        "labels": _lines({pool.name: dict(pool.labels) for pool in settings.pools}),
        "selector": "object.spec.?nodeSelector.orValue({})",
        "terms": terms,
        "wanted": f"{_text(resources)}.filter(resource, {_CONTAINERS}.exists(container,"
        f" {_AMOUNTS}.exists(amounts, resource in amounts"
        ' && string(amounts[resource]) != "0")))',
        "foreign": f"{_text(sorted(offered))}.filter(pool, !(pool in variables.granted)"
        " && variables.wanted.all(resource, resource in variables.offered[pool]))",
    }


def _validation(settings: Settings) -> dict[str, str]:
    names = {name: ", ".join(pools) for name, pools in grants_of(settings).items()}
    said = (
        f'"GPU pods of this namespace run on " + {_text(names)}[request.namespace] + '
        f'" only; require the node label {POOL} with one of them in spec.nodeSelector or '
        f"spec.affinity.nodeAffinity. The admission webhook {WEBHOOK} adds that where it "
        'answers."'
    )
    return {
        "expression": "size(variables.wanted) == 0 || variables.foreign.all(pool,"
        f" {_SELECTOR_EXCLUDES} || {_TERMS_EXCLUDE})",
        "messageExpression": said,
        "reason": "Forbidden",
    }


def _text(value: object) -> str:
    """Return a literal of CEL, which JSON is."""
    return json.dumps(value, sort_keys=True)


def _lines(value: object) -> str:
    """Return a literal that shows in a diff which line of it changed."""
    return json.dumps(value, sort_keys=True, indent=1)
