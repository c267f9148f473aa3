"""What changes of Karpenter's objects do to nodes, and which nodes still fit."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.effects.karpenter import Requirement, narrowed_keys
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism, Rollout
from tests.gpuplane.plan.single_change import Fields, document, only, placed, planned

HASHED = (
    "It is part of the hash of the template: all nodes of the NodePool drift, and are replaced "
    "within the budgets."
)


def _requirement(operator: str, *values: str) -> Requirement:
    return {"key": "a", "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_requirement("In", "1"), _requirement("In", "1", "2")),
        (_requirement("In", "1"), _requirement("NotIn", "2")),
        (_requirement("NotIn", "1", "2"), _requirement("NotIn", "1")),
        (_requirement("In", "4", "8"), _requirement("Gt", "3")),
        (_requirement("In", "4", "8"), _requirement("Lte", "8")),
        (_requirement("Gt", "8"), _requirement("Gt", "4")),
        (_requirement("Lt", "4"), _requirement("Lt", "8")),
        (_requirement("In", "1"), _requirement("Exists")),
        (_requirement("DoesNotExist"), _requirement("NotIn", "1")),
    ],
)
def test_every_node_fits_what_is_wider_and_not_what_is_narrower(
    old: Requirement, new: Requirement
) -> None:
    assert list(narrowed_keys([old], [new])) == []
    assert list(narrowed_keys([new], [old])) == ["a"]


def test_every_node_fits_where_a_requirement_is_gone() -> None:
    assert list(narrowed_keys([_requirement("In", "1")], [])) == []
    assert list(narrowed_keys([], [_requirement("In", "1")])) == ["a"]


@given(
    st.sampled_from(["In", "NotIn"]),
    st.sampled_from(["In", "NotIn"]),
    st.sets(st.sampled_from("123"), min_size=1),
    st.sets(st.sampled_from("123"), min_size=1),
)
def test_a_value_that_fitted_fits_unless_the_label_is_named(
    old: str, new: str, held: set[str], wanted: set[str]
) -> None:
    def fits(operator: str, values: set[str], value: str) -> bool:
        return (value in values) == (operator == "In")

    narrowed = any(fits(old, held, each) and not fits(new, wanted, each) for each in "1234")
    named = list(narrowed_keys([_requirement(old, *held)], [_requirement(new, *wanted)]))
    assert bool(named) == narrowed


def _node_pool(name: str, labels: dict[str, str], **spec: Any) -> Document:
    pool = {"gpuplane.io/pool": "h100", **labels}
    fields = {
        "spec.template": {
            "metadata": {"labels": pool},
            "spec": {"nodeClassRef": {"name": "h100"}, "terminationGracePeriod": "1h30m"},
        },
        "spec.disruption": {"budgets": [{"nodes": "2"}, {"nodes": "0", "schedule": "@daily"}]},
        **{f"spec.{key}": value for key, value in spec.items()},
    }
    return document("karpenter.sh/v1 NodePool", fields, name)


def test_nodes_drift_within_the_budgets_that_always_hold() -> None:
    (planned,) = planned_objects(
        placed(_node_pool("h100", {"a": "1"}, limits={"nodes": "8"})),
        placed(_node_pool("h100", {"a": "2"}, limits={"nodes": "8"})),
    )
    assert planned.rollouts == (
        Rollout(Mechanism.DRIFT, "h100", "h100", limits=("2",), nodes=8, drain_seconds=5400),
    )
    assert planned.pools == ("h100",)


def test_a_node_class_reaches_the_nodes_of_each_node_pool_that_names_it() -> None:
    kind = "karpenter.k8s.aws/v1 EC2NodeClass"
    pools = placed(_node_pool("h100", {}), _node_pool("h100.minimum", {}, replicas=4))
    old, new = (placed(document(kind, {"spec.role": role}, "h100")) for role in ("a", "b"))
    planned = only(planned_objects(pools | old, pools | new), "EC2NodeClass")
    assert [(way.made_by, way.nodes) for way in planned.rollouts] == [
        ("h100", None),
        ("h100.minimum", 4),
    ]


def test_a_node_class_that_is_in_use_holds_its_prune() -> None:
    kind = "karpenter.k8s.aws/v1 EC2NodeClass"
    pool = placed(_node_pool("h100", {}))
    gone = placed(document(kind, {"spec": {}}, "h100"))
    planned = only(planned_objects(pool | gone, pool), "EC2NodeClass")
    assert planned.effects[0].reason == (
        "Nodes still need it: its finalizer waits for them, and the prune hangs as long."
    )


def test_replicas_that_go_are_as_many_nodes() -> None:
    (planned,) = planned_objects(
        placed(_node_pool("h100.minimum", {}, replicas=4)),
        placed(_node_pool("h100.minimum", {}, replicas=1)),
    )
    assert planned.rollouts == (Rollout(Mechanism.SCALE_IN, "h100", "h100.minimum", nodes=3),)


def _sized_node_pool(budget: str, taint: str = "a") -> Fields:
    return {
        "spec.template.metadata.labels": {"gpuplane.io/pool": "h100"},
        "spec.template.spec.taints": [{"key": taint, "effect": "NoSchedule"}],
        "spec.disruption.budgets": [{"nodes": budget}],
    }


@pytest.mark.parametrize(
    ("budget", "verdict", "reason"),
    [
        ("1", Verdict.DISRUPTIVE, HASHED),
        (
            "0",
            Verdict.SAFE,
            f"{HASHED} For now, none is replaced: the budgets allow 0 nodes at once.",
        ),
        (
            "0%",
            Verdict.SAFE,
            f"{HASHED} For now, none is replaced: the budgets allow 0 nodes at once.",
        ),
    ],
)
def test_drift_disturbs_nobody_where_the_budgets_allow_none(
    budget: str, verdict: Verdict, reason: str
) -> None:
    found = planned(
        "karpenter.sh/v1 NodePool",
        _sized_node_pool(budget),
        _sized_node_pool(budget, taint="b"),
        "h100",
    )
    assert [(each.verdict, each.reason) for each in found.effects] == [(verdict, reason)]


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("0", "1", Verdict.DISRUPTIVE),
        ("1", "2", Verdict.SAFE),
        ("1", "0", Verdict.SAFE),
    ],
)
def test_nodes_that_drifted_meanwhile_are_replaced_once_the_budgets_allow_one(
    old: str, new: str, verdict: Verdict
) -> None:
    found = planned(
        "karpenter.sh/v1 NodePool", _sized_node_pool(old), _sized_node_pool(new), "h100"
    )
    assert found.verdict is verdict
