"""Which pods policies judge, by what the webhook says of them."""

from typing import Any

import pytest
from msgspec import structs

from gpus.platform_names import JUDGED
from policies.custom.expressions import Expressions
from policies.in_cel import judged_annotation
from policies.in_cel.judged_annotation import IS_ANNOTATED, hash_by, is_unjudged, judged_by
from policies.settings_json import write_settings
from tests.webhook.pods import SETTINGS

NAME = judged_by(SETTINGS)


def _value(expression: str, operation: str, metadata: dict[str, Any], gpus: str = "1") -> Any:
    expressions = Expressions(("object", "request"))
    container = {"name": "a", "resources": {"limits": {"nvidia.com/gpu": gpus} if gpus else {}}}
    pod = {"metadata": metadata, "spec": {"containers": [container]}}
    given = {"object": pod, "request": {"operation": operation}}
    return expressions.value(expressions.compile(expression), given)


@pytest.mark.parametrize(
    ("operation", "metadata", "judged"),
    [
        ("CREATE", {"annotations": {JUDGED: NAME}}, False),
        ("CREATE", {"annotations": {JUDGED: "others"}}, True),
        ("CREATE", {"annotations": {}}, True),
        ("CREATE", {}, True),
        ("UPDATE", {"annotations": {JUDGED: NAME}}, True),
    ],
)
def test_a_new_pod_is_judged_unless_the_webhook_has_by_the_same_rules(
    operation: str, metadata: dict[str, Any], judged: bool
) -> None:
    assert _value(is_unjudged(SETTINGS), operation, metadata) is judged


def test_a_pod_that_the_webhook_is_not_shown_is_judged_whoever_has_annotated_it() -> None:
    annotated = {"annotations": {JUDGED: NAME}}
    judged = [_value(is_unjudged(SETTINGS), "CREATE", annotated, gpus) for gpus in ("1", "")]
    assert judged == [False, True]


@pytest.mark.parametrize(
    ("metadata", "annotated"), [({}, False), ({"annotations": {JUDGED: ""}}, True)]
)
def test_a_pod_is_annotated_whatever_the_annotation_says(
    metadata: dict[str, Any], annotated: bool
) -> None:
    assert _value(IS_ANNOTATED, "CREATE", metadata) is annotated


def test_other_settings_have_another_name() -> None:
    assert judged_by(structs.replace(SETTINGS)) == NAME
    assert judged_by(structs.replace(SETTINGS, cluster="other")) != NAME


def test_other_rules_have_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_annotation, "cluster_variables", lambda _: {"new_rule": "[]"})
    assert hash_by.__wrapped__(write_settings(SETTINGS)) != NAME
