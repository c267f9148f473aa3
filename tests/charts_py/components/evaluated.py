"""What expressions of policies say of an object, by a real evaluator of CEL."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from charts_py.components.admission_policy import Policy

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")
strings = pytest.importorskip("cel_expr_python.ext.ext_strings")


def evaluated(expression: str, data: Mapping[str, Any]) -> Any:
    return _compiled(expression, tuple(data)).eval(data=data).value()


@cache
def _compiled(expression: str, names: tuple[str, ...]) -> Any:
    environment = cel.NewEnv(
        variables=dict.fromkeys(names, cel.Type.DYN),
        extensions=[optional.ExtOptional(), strings.ExtStrings()],
    )
    return environment.compile(expression)


def is_taken(policy: Policy, now: Mapping[str, Any], before: Mapping[str, Any] | None) -> bool:
    """Tell whether the only validation of a policy lets an object pass, or a change of it."""
    (validation,) = policy.spec()["validations"]
    request = {"operation": "CREATE" if before is None else "UPDATE"}
    data = {"object": now, "oldObject": before, "request": request}
    return evaluated(validation["expression"], data) is True


def messages(spec: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
    """Return what is told by each validation of a policy that does not hold."""
    return [
        evaluated(each["messageExpression"], data)
        for each in spec["validations"]
        if evaluated(each["expression"], data) is not True
    ]


OF_TEAMS = {"matchExpressions": [{"key": "gpuplane.io/team", "operator": "Exists"}]}


def about(
    namespaces: Mapping[str, Any],
    groups: list[str],
    versions: list[str],
    resources: list[str],
    *operations: str,
) -> dict[str, Any]:
    """Return the constraints of a policy that is about such resources in these namespaces."""
    rule = {
        "apiGroups": groups,
        "apiVersions": versions,
        "operations": list(operations or ("CREATE", "UPDATE")),
        "resources": resources,
        "scope": "Namespaced",
    }
    return {"namespaceSelector": namespaces, "resourceRules": [rule]}
