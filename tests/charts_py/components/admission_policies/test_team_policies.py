"""Which PodDisruptionBudgets of teams the API server refuses, by a real evaluator of CEL."""

from typing import Any

import pytest

from charts_py.components.admission_policies.team_policies import (
    EXTERNAL_ADDRESSES,
    disruption_budgets,
)
from charts_py.components.admission_policy import Policy
from charts_py.platform.platform import Platform
from tests.charts_py.components.evaluated import OF_TEAMS, about, evaluated, is_taken


def _budget(**bounds: int | str) -> dict[str, Any]:
    return {"spec": {"selector": {"matchLabels": {"app": "training"}}, **bounds}}


NONE_GOES = _budget(maxUnavailable=0)


@pytest.fixture(scope="module")
def budgets(platforms: dict[str, Platform]) -> Policy:
    """Return the policy of a cluster where research-training may hold 160 GPUs."""
    return disruption_budgets(platforms["training"])


def _is_taken(
    policy: Policy, budget: dict[str, Any], before: dict[str, Any] | None, namespace: str
) -> bool:
    operation = "CREATE" if before is None else "UPDATE"
    request = {"operation": operation, "namespace": namespace}
    (validation,) = policy.spec()["validations"]
    data = {"object": budget, "oldObject": before, "request": request}
    return evaluated(validation["expression"], data) is True


@pytest.mark.parametrize(
    ("budget", "before", "passes"),
    [
        (_budget(maxUnavailable=1), None, True),
        (_budget(maxUnavailable="1%"), None, True),
        (_budget(minAvailable=0), None, True),
        # Of how many pods with GPUs it is, it does not say.
        (_budget(minAvailable=159), None, True),
        (_budget(minAvailable=160), None, False),
        (_budget(minAvailable=1000), None, False),
        # All of up to 19 pods, and of up to 24.
        (_budget(minAvailable="95%"), None, True),
        (_budget(minAvailable="96%"), None, False),
        (_budget(minAvailable="099%"), None, False),
        (_budget(minAvailable="9%"), None, True),
        # The API server takes one without bounds, which is `minAvailable: 1`.
        (_budget(), None, True),
        (NONE_GOES, None, False),
        (_budget(maxUnavailable="0%"), None, False),
        (_budget(maxUnavailable="00%"), None, False),
        (_budget(minAvailable="100%"), None, False),
        (_budget(minAvailable="0100%"), None, False),
        (NONE_GOES, _budget(maxUnavailable=1), False),
        (NONE_GOES, _budget(minAvailable="100%"), False),
        (_budget(maxUnavailable=1), NONE_GOES, True),
        # One of before the policy can still be deleted, which takes its finalizers off it.
        (NONE_GOES, NONE_GOES, True),
    ],
)
def test_a_budget_lets_a_pod_go(
    budgets: Policy, budget: dict[str, Any], before: dict[str, Any] | None, passes: bool
) -> None:
    assert _is_taken(budgets, budget, before, "research-training") is passes


def test_budgets_of_fewer_than_a_hundred_pods_may_be_of_pods_without_gpus(budgets: Policy) -> None:
    each = [_budget(minAvailable=count) for count in (99, 100)]
    assert [_is_taken(budgets, one, None, "unknown") for one in each] == [True, False]


def test_it_is_about_budgets_in_the_namespaces_of_teams(budgets: Policy) -> None:
    assert budgets.spec()["matchConstraints"] == about(
        OF_TEAMS, ["policy"], ["v1"], ["poddisruptionbudgets"]
    )
    assert budgets.binding_spec()["matchResources"] == {"namespaceSelector": OF_TEAMS}


NONE: dict[str, Any] = {"spec": {"type": "ClusterIP"}}
TAKEN: dict[str, Any] = {"spec": {"type": "ClusterIP", "externalIPs": ["203.0.113.7"]}}


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
    assert is_taken(EXTERNAL_ADDRESSES, service, before) is passes


def test_it_is_about_services_in_the_namespaces_of_teams() -> None:
    assert EXTERNAL_ADDRESSES.spec()["matchConstraints"] == about(
        OF_TEAMS, [""], ["v1"], ["services"]
    )
    assert EXTERNAL_ADDRESSES.binding_spec()["matchResources"] == {"namespaceSelector": OF_TEAMS}
