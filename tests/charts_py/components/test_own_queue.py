"""Who may use which queue of a scheduler, by a real evaluator of CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.kai_queues.definition import KAI_QUEUES
from charts_py.components.own_queue import own_queue_policy
from charts_py.components.volcano_queues.definition import VOLCANO_QUEUES

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")

OF_A_TEAM = {"gpuplane.io/team": "vision"}
DEFINITIONS = {"kai": KAI_QUEUES, "volcano": VOLCANO_QUEUES}


def test_the_groups_of_pods_of_a_namespace_stay_in_its_queue() -> None:
    own = "request.namespace"
    policy = own_queue_policy(QueueEngine.VOLCANO, "scheduling.volcano.sh", own)
    named = 'object.spec.?queue.orValue("")'
    assert policy.spec() == {
        "failurePolicy": "Fail",
        "matchConstraints": {
            "namespaceSelector": {},
            "resourceRules": [
                {
                    "apiGroups": ["scheduling.volcano.sh"],
                    "apiVersions": ["*"],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": ["podgroups"],
                    "scope": "Namespaced",
                }
            ],
        },
        "validations": [
            {
                "expression": "oldObject != null"
                f' && oldObject.spec.?queue.orValue("") == {named} || {named} == ({own})',
                "messageExpression": '"The queue of namespace " + request.namespace + " is "'
                f' + ({own}) + ", not " + {named} + ". Set spec.queue to " + ({own}) + "."',
                "reason": "Forbidden",
            }
        ],
    }
    assert policy.binding_spec() == {
        "policyName": "own-queue.volcano.gpuplane.io",
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": {}},
    }


@pytest.fixture
def spec_of(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    documents_of_component: Callable[[Component], tuple[Document, ...]],
) -> Callable[[str], dict[str, Any]]:
    """Return a function from an engine to the policy that is rendered for it."""

    def find(engine: str) -> dict[str, Any]:
        (component,) = DEFINITIONS[engine].plan(platform_of(sample(engine)))
        (spec,) = (
            each["spec"]
            for each in documents_of_component(component)
            if each["kind"] == "ValidatingAdmissionPolicy"
            and each["metadata"]["name"].startswith("own-queue.")
        )
        return spec  # type: ignore[no-any-return]  # YAML has no types

    return find


def _group(queue: str | None) -> dict[str, Any]:
    return {"spec": {} if queue is None else {"queue": queue}}


def _refusals(
    spec: dict[str, Any], group: dict[str, Any], before: dict[str, Any] | None, labels: Any
) -> list[str]:
    data = {
        "object": group,
        "oldObject": before,
        "request": {"namespace": "vision-batch"},
        "namespaceObject": {"metadata": {} if labels is None else {"labels": labels}},
    }
    environment = cel.NewEnv(
        variables=dict.fromkeys(data, cel.Type.DYN), extensions=[optional.ExtOptional()]
    )

    def result(expression: str) -> Any:
        return environment.compile(expression).eval(data=data).value()

    return [
        result(each["messageExpression"])
        for each in spec["validations"]
        if result(each["expression"]) is not True
    ]


def _told(own: str, named: str) -> list[str]:
    return [f"The queue of namespace vision-batch is {own}, not {named}. Set spec.queue to {own}."]


ROWS: dict[str, list[tuple[str | None, str | None, Any, list[str]]]] = {
    "volcano": [
        ("vision-batch", None, OF_A_TEAM, []),
        ("speech", None, OF_A_TEAM, _told("vision-batch", "speech")),
        ("default", None, OF_A_TEAM, _told("vision-batch", "default")),
        (None, None, OF_A_TEAM, _told("vision-batch", "")),
        # What was there before can still be deleted, which takes its finalizers off it.
        ("speech", "speech", OF_A_TEAM, []),
        ("speech", "vision-batch", OF_A_TEAM, _told("vision-batch", "speech")),
        # What is of no team has Volcano's own queue.
        ("default", None, None, []),
        ("default", None, {"app": "other"}, []),
        ("speech", None, {"app": "other"}, _told("default", "speech")),
    ],
    "kai": [
        ("vision-batch", None, OF_A_TEAM, []),
        ("speech", None, OF_A_TEAM, _told("vision-batch", "speech")),
        ("speech", "speech", OF_A_TEAM, []),
        ("speech", "vision-batch", OF_A_TEAM, _told("vision-batch", "speech")),
        ("speech", None, None, _told("vision-batch", "speech")),
    ],
}
"""The queue of a PodGroup, the one before, the labels of its namespace, and what is told."""


@pytest.mark.parametrize("engine", ROWS)
def test_a_group_waits_in_the_queue_of_its_namespace(
    spec_of: Callable[[str], dict[str, Any]], engine: str
) -> None:
    spec = spec_of(engine)
    for queue, before, labels, told in ROWS[engine]:
        earlier = None if before is None else _group(before)
        assert _refusals(spec, _group(queue), earlier, labels) == told
