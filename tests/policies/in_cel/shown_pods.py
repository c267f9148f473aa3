"""Which pods meet conditions of the API server, by a real evaluator of CEL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from policies.custom.expressions import Expressions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from policies.in_cel.match_conditions import MatchCondition

Shown: TypeAlias = Callable[..., bool]


def shown_by(conditions: Iterable[MatchCondition]) -> Shown:
    """Return what tells whether a pod meets all conditions; an error in one is an error here."""
    expressions = Expressions(("object", "request"))
    compiled = [expressions.compile(each["expression"]) for each in conditions]

    def is_shown(pod: dict[str, Any], **request: Any) -> bool:
        asked = {"operation": "CREATE", "userInfo": {}, **request}
        data = {"object": pod, "request": asked}
        values = [expressions.value(each, data) for each in compiled]
        assert all(type(value) is bool for value in values), values
        return all(values)

    return is_shown


def pod_of(container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """Return a pod of one container."""
    containers = [{"name": "app", "resources": {}, **(container or {})}]
    return {"metadata": {}, "spec": {"containers": containers, **spec}}


def pod_asking(**resources: Any) -> dict[str, Any]:
    """Return a pod whose container has these limits, requests or claims."""
    return pod_of({"resources": resources})


def pod_requiring(terms: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a pod whose node must meet one of the terms."""
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return pod_of(affinity={"nodeAffinity": required})
