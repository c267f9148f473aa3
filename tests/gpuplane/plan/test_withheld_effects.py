"""What a change does not do: a refused update takes no field, and a limit of 0 lets no node go."""

from typing import Any

import pytest

from gpuplane.plan.effect import Effect
from gpuplane.plan.outage.rollout import Mechanism
from gpuplane.plan.verdict import Verdict
from tests.gpuplane.plan.single_change import Fields, planned

AKS = "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool"
GKE = "container.cnrm.cloud.google.com/v1beta1 ContainerNodePool"
HASHED = (
    "It is part of the hash of the template: all nodes of the NodePool drift, and are replaced "
    "within the budgets."
)


def _said(effects: tuple[Effect, ...]) -> dict[str, tuple[Verdict, str]]:
    return {each.field: (each.verdict, each.reason) for each in effects}


@pytest.mark.parametrize(
    ("kind", "refused", "others"),
    [
        (AKS, "spec.vmSize", {"spec.maxCount": (4, 8), "spec.orchestratorVersion": ("1", "2")}),
        (AKS, "spec.osDiskType", {"spec.count": (2, 1), "spec.mode": ("User", "System")}),
        (GKE, "spec.nodeConfig.machineType", {"spec.version": ("1", "2")}),
        (GKE, "spec.nodeConfig.guestAccelerator", {"spec.nodeCount": (2, 1)}),
        ("scheduling.k8s.io/v1 PriorityClass", "value", {"description": ("a", "b")}),
        ("batch/v1 Job", "spec.template", {"spec.unknown": (1, 2)}),
    ],
)
def test_no_field_of_a_refused_update_is_taken(
    kind: str, refused: str, others: dict[str, tuple[Any, Any]]
) -> None:
    before: Fields = {refused: "a", **{path: old for path, (old, _) in others.items()}}
    after: Fields = {refused: "b", **{path: new for path, (_, new) in others.items()}}
    found = planned(kind, before, after)
    said = _said(found.effects)
    assert said.pop(refused)[0] is Verdict.IMMUTABLE
    whole = f"It stays as it was, too: the update is refused as a whole, for {refused}."
    assert said == dict.fromkeys(others, (Verdict.SAFE, whole))
    assert {way.mechanism for way in found.rollouts} <= {Mechanism.RECREATION}


def test_argo_cd_goes_by_annotations_of_a_refused_update() -> None:
    option = 'metadata.annotations["argocd.argoproj.io/sync-wave"]'
    before, after = (
        {"spec.vmSize": size, "metadata.annotations": {"argocd.argoproj.io/sync-wave": wave}}
        for size, wave in (("a", "1"), ("b", "2"))
    )
    assert _said(planned(AKS, before, after).effects)[option] == (
        Verdict.SAFE,
        "It decides in which order Argo CD syncs and prunes, from now on: 1 becomes 2.",
    )


def _node_pool(budget: str, taint: str = "a") -> Fields:
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
        "karpenter.sh/v1 NodePool", _node_pool(budget), _node_pool(budget, taint="b"), "h100"
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
    found = planned("karpenter.sh/v1 NodePool", _node_pool(old), _node_pool(new), "h100")
    assert found.verdict is verdict
