"""What becomes of objects that are the same, refused, or of a kind that nobody knows."""

from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.table import FUNCTIONS, Row
from gpuplane.plan.object_change import ChangeContext, ObjectChange
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.plan.single_change import Fields, document, placed, planned

AKS = "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool"
GKE = "container.cnrm.cloud.google.com/v1beta1 ContainerNodePool"


NAMESPACE = document("v1 Namespace", {}, "research")


def test_objects_that_stay_the_same_are_left_out() -> None:
    assert planned_objects(placed(NAMESPACE), placed(NAMESPACE)) == ()


def test_the_team_is_the_one_whose_component_it_is() -> None:
    (found,) = planned_objects({}, placed(NAMESPACE, component="team-research"))
    assert found.team == "research"


@pytest.mark.parametrize(
    ("left", "meanwhile"),
    [((), " Meanwhile no rule keeps its pods to the pools of its quotas."), (("research",), "")],
    ids=["its rules go", "its rules stay"],
)
def test_rules_do_not_wait_for_a_namespace_that_does(
    platform_after: PlatformWith, left: tuple[str, ...], meanwhile: str
) -> None:
    before = policy_settings(platform_after("eks"))
    after = replace(before, namespaces={name: before.namespaces[name] for name in left})
    options = {"argocd.argoproj.io/sync-options": "Prune=confirm"}
    namespace = document("v1 Namespace", {"metadata.annotations": options}, "research")
    context = ChangeContext(settings=(before, after))
    ((effect,),) = (each.effects for each in planned_objects(placed(namespace), {}, context))
    assert effect.reason.endswith(f"until somebody confirms it (Prune=confirm).{meanwhile}")


def test_noise_is_what_only_describes() -> None:
    label = "metadata.labels"
    old, new = (
        placed(document("v1 ConfigMap", {label: {"app.kubernetes.io/version": version}}))
        for version in ("1", "2")
    )
    assert [each.is_noise for each in planned_objects(old, new)] == [True]


def test_no_row_is_asked_about_an_object_that_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def asks(change: ObjectChange) -> bool:
        asked.append(change.placed.key.name)
        return True

    monkeypatch.setitem(FUNCTIONS, "asks", asks)
    row = Row(("*",), fields=("data",), object_condition="asks", word="safe", reason="It changes.")
    monkeypatch.setattr("gpuplane.plan.planned_objects.rows", lambda: (row,))
    same = document("v1 ConfigMap", {"data.a": "1"}, "same")
    before, after = (document("v1 ConfigMap", {"data.a": each}, "other") for each in "12")
    planned_objects(placed(same, before), placed(same, after))
    assert asked == ["other"]


OWN_KIND = "example.com/v1 Gizmo"


@pytest.mark.parametrize(
    ("before", "after", "field", "verdict", "what"),
    [
        (None, {"spec": 1}, "", Verdict.ROLLING, "objects of the kind Gizmo.example.com"),
        ({"spec": 1}, {"spec": 2}, "spec", Verdict.ROLLING, "this field of Gizmo.example.com"),
        ({"spec": 1}, None, "", Verdict.DISRUPTIVE, "objects of the kind Gizmo.example.com"),
    ],
)
def test_an_unknown_change_is_never_safe_and_says_that_it_is_a_guess(
    before: Fields | None, after: Fields | None, field: str, verdict: Verdict, what: str
) -> None:
    reason = (
        f"Not known: gpuplane has no facts about {what}. Read what its controller does with it."
    )
    expected = Effect(verdict, field, reason, "", is_certain=False, is_known=False)
    assert planned(OWN_KIND, before, after).effects == (expected,)


def test_an_unknown_field_of_a_known_kind_is_unknown_too() -> None:
    (effect,) = planned("v1 Service", {"other": 1}, {"other": 2}).effects
    assert not effect.is_known


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
