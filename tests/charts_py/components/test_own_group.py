"""Which group a pod of a team is of, by a real evaluator of CEL."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.kai_queues.api import GROUPING as KAI
from charts_py.components.own_group import MAY_PATCH_PODS, Grouping, own_group_policy
from charts_py.components.volcano_queues.api import GROUPING as VOLCANO
from tests.charts_py.components.kueue_queues.refusals import refusals

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
    grouping: Grouping,
    now: dict[str, Any],
    before: dict[str, Any] | None,
    refused: list[str],
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
