"""Which Services of teams the API server refuses, by a real evaluator of CEL."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.admission_policies.external_addresses import EXTERNAL_ADDRESSES

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")

NONE: dict[str, Any] = {"spec": {"type": "ClusterIP"}}
TAKEN: dict[str, Any] = {"spec": {"type": "ClusterIP", "externalIPs": ["203.0.113.7"]}}


def _passes(service: dict[str, Any], before: dict[str, Any] | None) -> bool:
    names = ("object", "oldObject", "request")
    environment = cel.NewEnv(
        variables=dict.fromkeys(names, cel.Type.DYN), extensions=[optional.ExtOptional()]
    )
    (validation,) = EXTERNAL_ADDRESSES.spec()["validations"]
    operation = "CREATE" if before is None else "UPDATE"
    data = {"object": service, "oldObject": before, "request": {"operation": operation}}
    return bool(environment.compile(validation["expression"]).eval(data=data).value() is True)


@pytest.mark.parametrize(
    ("service", "before", "passes"),
    [
        (NONE, None, True),
        (TAKEN, None, False),
        (TAKEN, NONE, False),
        (NONE, TAKEN, True),
        # A Service of before the policy can still be deleted, which takes its finalizers off it.
        (TAKEN, TAKEN, True),
    ],
)
def test_a_service_takes_no_further_address(
    service: dict[str, Any], before: dict[str, Any] | None, passes: bool
) -> None:
    assert _passes(service, before) is passes


def test_it_is_about_services_in_the_namespaces_of_teams() -> None:
    selector = {"matchExpressions": [{"key": "gpuplane.io/team", "operator": "Exists"}]}
    assert EXTERNAL_ADDRESSES.spec()["matchConstraints"] == {
        "namespaceSelector": selector,
        "resourceRules": [
            {
                "apiGroups": [""],
                "apiVersions": ["v1"],
                "operations": ["CREATE", "UPDATE"],
                "resources": ["services"],
                "scope": "Namespaced",
            }
        ],
    }
    assert EXTERNAL_ADDRESSES.binding_spec()["matchResources"] == {"namespaceSelector": selector}
