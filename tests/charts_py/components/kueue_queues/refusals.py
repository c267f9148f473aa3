"""What a policy refuses somebody who is not trusted, by a real evaluator of CEL."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components.kueue_queues.trusted import IS_CONTROLLER, MAY_ADMIT

if TYPE_CHECKING:
    from charts_py.components.admission_policies.policy import Policy

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")
strings = pytest.importorskip("cel_expr_python.ext.ext_strings")

_NAMES = ("object", "oldObject", "request")
_RESOURCES = {"Pod": "pods", "Job": "jobs", "StatefulSet": "statefulsets"}


def refusals(
    policy: Policy, sent: dict[str, Any], before: dict[str, Any] | None = None
) -> list[str]:
    """Return why the policy refuses an object, or a change of it; empty where it passes."""
    data: dict[str, Any] = {
        "object": sent,
        "oldObject": before,
        "request": {
            "operation": "CREATE" if before is None else "UPDATE",
            "namespace": sent["metadata"]["namespace"],
            "resource": {"resource": _RESOURCES.get(sent["kind"], f"{sent['kind'].lower()}s")},
        },
    }
    return [
        each["message"]
        for each in policy.spec()["validations"]
        if _evaluated(_untrusted(each["expression"]), data) is not True
    ]


def _untrusted(expression: str) -> str:
    return expression.replace(IS_CONTROLLER, "false").replace(MAY_ADMIT, "false")


def _evaluated(expression: str, data: dict[str, Any]) -> object:
    return _compiled(expression).eval(data=data).value()


@cache
def _compiled(expression: str) -> Any:
    environment = cel.NewEnv(
        variables=dict.fromkeys(_NAMES, cel.Type.DYN),
        extensions=[optional.ExtOptional(), strings.ExtStrings()],
    )
    return environment.compile(expression)
