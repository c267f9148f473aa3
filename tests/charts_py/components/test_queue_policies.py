"""Who may use which queue of a scheduler, by a real evaluator of CEL."""

from collections.abc import Callable
from typing import Any

import pytest

from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.kai_scheduler.api import GROUPING as KAI
from charts_py.components.kai_scheduler.queues import KAI_QUEUES
from charts_py.components.queue_policies import (
    MAY_PATCH_PODS,
    Grouping,
    own_group_policy,
    own_queue_policy,
)
from charts_py.components.volcano.api import GROUPING as VOLCANO
from charts_py.components.volcano.queues import VOLCANO_QUEUES
from tests.charts_py.components.evaluated import about, messages
from tests.charts_py.components.kueue.refusals import refusals
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

OF_A_TEAM = {"gpuplane.io/team": "vision"}
DEFINITIONS = {"kai": KAI_QUEUES, "volcano": VOLCANO_QUEUES}


def test_the_groups_of_pods_of_a_namespace_stay_in_its_queue() -> None:
    own = "request.namespace"
    policy = own_queue_policy(QueueEngine.VOLCANO, "scheduling.volcano.sh", own)
    named = 'object.spec.?queue.orValue("")'
    assert policy.spec() == {
        "failurePolicy": "Fail",
        "matchConstraints": about({}, ["scheduling.volcano.sh"], ["*"], ["podgroups"]),
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
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> Callable[[str], dict[str, Any]]:
    """Return a function from an engine to the policy that is rendered for it."""

    def find(engine: str) -> dict[str, Any]:
        (component,) = DEFINITIONS[engine].plan(platform_after(engine))
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
    return messages(spec, data)


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


SUBGROUP = "kai.scheduler/subgroup-name"
OF_KAI, OF_VOLCANO = (
    f"A pod is counted with its group ({keys}), which controllers of the scheduler set; leave it "
    "as it is, and out of templates."
    for keys in (
        f"pod-group-name, kai.scheduler/skip-podgrouper, {SUBGROUP}",
        "scheduling.k8s.io/group-name",
    )
)
OWNERS = (
    "A pod is counted in a group that is gone with its owners; leave its metadata.ownerReferences."
)
JOB, OTHER = ({"kind": kind, "name": "sent", "uid": kind} for kind in ("Job", "ConfigMap"))


def _pod(
    grouping: Grouping = KAI,
    name: str = "",
    owners: tuple[dict[str, Any], ...] = (),
    labels: dict[str, str] | None = None,
) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": "sent", "namespace": "team", "labels": labels or {}}
    if name:
        metadata["annotations"] = {grouping.name: name}
    if owners:
        metadata["ownerReferences"] = list(owners)
    return {"kind": "Pod", "metadata": metadata}


@pytest.mark.parametrize(
    ("grouping", "now", "before", "refused"),
    [
        (KAI, _pod(), None, []),
        (VOLCANO, _pod(), None, []),
        (KAI, _pod(KAI, "pg"), None, [OF_KAI]),
        (VOLCANO, _pod(VOLCANO, "pg"), None, [OF_VOLCANO]),
        (KAI, _pod(labels={SUBGROUP: "workers"}), None, [OF_KAI]),
        (KAI, _pod(KAI, "pg", labels={"app": "x"}), _pod(KAI, "pg"), []),
        (KAI, _pod(KAI, "pg"), _pod(), [OF_KAI]),
        (KAI, _pod(KAI, "other"), _pod(KAI, "pg"), [OF_KAI]),
        (KAI, _pod(), _pod(KAI, "pg"), [OF_KAI]),
        (VOLCANO, _pod(), _pod(VOLCANO, "pg"), [OF_VOLCANO]),
        (KAI, _pod(KAI, "pg", labels={SUBGROUP: "none"}), _pod(KAI, "pg"), [OF_KAI]),
        (KAI, _pod(KAI, "pg"), _pod(KAI, "pg", (JOB,)), [OWNERS]),
        (VOLCANO, _pod(VOLCANO, "pg", (JOB, OTHER)), _pod(VOLCANO, "pg", (JOB,)), [OWNERS]),
        # Pods of other schedulers have no group.
        (KAI, _pod(), _pod(owners=(JOB,)), []),
    ],
)
def test_a_team_leaves_a_pod_in_the_group_that_it_is_counted_with(
    grouping: Grouping, now: dict[str, Any], before: dict[str, Any] | None, refused: list[str]
) -> None:
    assert refusals(own_group_policy(grouping), now, before) == refused


@pytest.mark.parametrize("grouping", [KAI, VOLCANO])
def test_controllers_of_the_scheduler_put_pods_into_groups(grouping: Grouping) -> None:
    policy, grouped = own_group_policy(grouping), _pod(grouping, "pg")
    assert refusals(policy, grouped, None, grouping.may_group) == []
    assert refusals(policy, grouped, _pod(), grouping.may_group) == []


def test_controllers_of_pods_let_go_of_them() -> None:
    held, free = (_pod(KAI, "pg", owners) for owners in ((JOB,), ()))
    assert refusals(own_group_policy(KAI), free, held, MAY_PATCH_PODS) == []


@pytest.mark.parametrize("grouping", [KAI, VOLCANO])
def test_each_refusal_asks_one_question(grouping: Grouping) -> None:
    """An expression has the budget for two."""
    validations = own_group_policy(grouping).spec()["validations"]
    assert [each["expression"].count("authorizer") for each in validations] == [1, 1]
