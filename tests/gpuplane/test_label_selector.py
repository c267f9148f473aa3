"""What a LabelSelector selects."""

from typing import Any

import pytest

from gpuplane.label_selector import includes, selects


@pytest.mark.parametrize(
    ("operator", "values", "selected"),
    [
        ("In", ["a", "b"], True),
        ("In", ["b"], False),
        ("NotIn", ["b"], True),
        ("Exists", None, True),
        ("DoesNotExist", None, False),
        ("Gt", ["1"], False),
    ],
)
def test_expressions_select_as_kubernetes_says(
    operator: str, values: list[str] | None, selected: bool
) -> None:
    expression = {"key": "team", "operator": operator, "values": values}
    assert selects({"matchExpressions": [expression]}, {"team": "a"}) is selected


def test_no_labels_are_selected_by_a_key_that_is_not_known() -> None:
    selector = {"matchLabels": {"team": "a"}}
    assert selects(selector, {"team": "a"}, {"team"})
    assert not selects(selector, {"team": "a"}, {"other"})


WEB = {"matchLabels": {"app": "web"}}
NARROW = {"matchLabels": {"app": "web", "tier": "front"}}


def _expression(operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": "app", "operator": operator, "values": [*values]}]}


@pytest.mark.parametrize(
    ("selector", "other", "included"),
    [
        ({}, {}, True),
        ({}, WEB, True),
        (WEB, {}, False),
        (WEB, WEB, True),
        (WEB, NARROW, True),
        (NARROW, WEB, False),
        (_expression("Exists"), WEB, True),
        (_expression("In", "web", "api"), WEB, True),
        (_expression("NotIn", "web"), WEB, False),
        (_expression("NotIn", "api"), {}, False),
        (_expression("Exists"), _expression("Exists"), True),
        (WEB, _expression("In", "web"), True),
    ],
)
def test_a_selector_includes_a_narrower_one(
    selector: dict[str, Any], other: dict[str, Any], included: bool
) -> None:
    assert includes(selector, other) is included
