"""What becomes of objects among others: pruned, kept, moved, and which nodes they touch."""

from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.table import FUNCTIONS, Row
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import Fields, document, only, placed, planned

AKS = "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool"
GKE = "container.cnrm.cloud.google.com/v1beta1 ContainerNodePool"
CASCADE = "resources-finalizer.argocd.argoproj.io"
GONE = (
    "Everything in the namespace research is deleted with it: pods, volume claims, secrets, and "
    "what nobody has in git."
)
HELD = "Argo CD waits with it, and with all else of its Application, until somebody confirms it"


def _application(
    component: str, *, finalizers: tuple[str, ...] = (CASCADE,), prune: bool = True, wave: int = 0
) -> dict[PlacedObject, Document]:
    fields = {
        "metadata.annotations": {"argocd.argoproj.io/sync-wave": str(wave)},
        "metadata.finalizers": list(finalizers),
        "spec.source": {"path": f"dist/a/1.0.0/{component}"},
        "spec.syncPolicy": {"automated": {"prune": prune}},
    }
    kind = "argoproj.io/v1alpha1 Application"
    return placed(document(kind, fields, f"a-{component}"), component="argocd")


def _namespace(options: str = "", component: str = "part") -> dict[PlacedObject, Document]:
    annotations = {"argocd.argoproj.io/sync-options": options} if options else {}
    made = document("v1 Namespace", {"metadata.annotations": annotations}, "research")
    return placed(made, component=component)


@pytest.mark.parametrize(
    ("options", "kept", "reason"),
    [
        ("", True, GONE),
        ("Delete=confirm,Prune=confirm", True, f"{GONE} {HELD} (Prune=confirm)."),
        ("Delete=confirm,Prune=confirm", False, f"{GONE} {HELD} (Delete=confirm)."),
        ("Prune=false", True, "It stays: Argo CD does not prune it (Prune=false)."),
        (
            "Delete=false",
            False,
            "It stays: Argo CD does not delete it with its Application (Delete=false).",
        ),
        ("Prune=false", False, GONE),
    ],
)
def test_sync_options_decide_whether_an_object_goes(options: str, kept: bool, reason: str) -> None:
    application = _application("part")
    found = planned_objects(application | _namespace(options), application if kept else {})
    namespace = only(found, "Namespace")
    verdict = Verdict.DANGEROUS if reason.startswith(GONE) else Verdict.SAFE
    assert [(each.verdict, each.reason) for each in namespace.effects] == [(verdict, reason)]
    assert namespace.is_held == (HELD in reason)


def test_what_an_application_without_a_finalizer_synced_stays() -> None:
    before = _application("part", finalizers=()) | _namespace()
    assert [each.effects[0].reason for each in planned_objects(before, {})] == [
        "It has no finalizer: what it synced stays on the cluster, unmanaged.",
        "It stays, unmanaged: its Application is deleted without a finalizer.",
    ]


def test_what_an_application_does_not_prune_stays() -> None:
    application = _application("part", prune=False)
    (namespace,) = planned_objects(application | _namespace(), application)
    assert namespace.effects[0].reason == (
        "It stays until somebody prunes it: its Application does not do so by itself."
    )


def test_what_no_application_syncs_stays() -> None:
    (namespace,) = planned_objects(_application("other") | _namespace(), _application("other"))
    assert namespace.effects[0].reason == (
        "It stays: no Application syncs its folder, so somebody has to delete it."
    )


def test_a_definition_outlives_its_application_and_is_not_pruned() -> None:
    kind = "apiextensions.k8s.io/v1 CustomResourceDefinition"
    definition = placed(document(kind, {"spec": {}}, "boxes.example.com"))
    application = _application("part")
    gone = only(planned_objects(application | definition, {}), "CustomResourceDefinition")
    left = only(planned_objects(application | definition, application), "CustomResourceDefinition")
    assert (gone.verdict, left.verdict) == (Verdict.SAFE, Verdict.SAFE)
    assert left.effects[0].reason == (
        "It stays, with all objects of its kind: Argo CD does not mark a definition as its "
        "Application's, and so prunes none."
    )


def test_a_definition_that_says_whose_it_is_may_be_pruned() -> None:
    kind = "apiextensions.k8s.io/v1 CustomResourceDefinition"
    application = _application("part")
    (name,) = (each["metadata"]["name"] for each in application.values())
    labels = {"metadata.labels": {"app.kubernetes.io/instance": name}}
    definition = placed(document(kind, {"spec": {}, **labels}, "boxes.example.com"))
    pruned = only(
        planned_objects(application | definition, application), "CustomResourceDefinition"
    )
    assert pruned.verdict is Verdict.DANGEROUS


def test_an_object_that_two_components_apply_may_be_pruned_by_the_last_to_do_so() -> None:
    applications = _application("old", wave=1) | _application("new", wave=0)
    (namespace,) = planned_objects(
        applications | _namespace(component="old"), applications | _namespace(component="new")
    )
    assert (namespace.placed.component, namespace.verdict) == ("new", Verdict.DANGEROUS)
    assert namespace.effects[0].reason == (
        "It moves from old to new: the Applications of both apply it by turns until that of old "
        f"gives it up, and Argo CD prunes it if that one was the last to do so. {GONE}"
    )


def test_an_object_that_another_component_takes_over_too_late_may_be_pruned() -> None:
    applications = _application("old", wave=0) | _application("new", wave=1)
    (namespace,) = planned_objects(
        applications | _namespace(component="old"), applications | _namespace(component="new")
    )
    assert namespace.effects[0].reason == (
        "It moves from old to new, which is synced no earlier: Argo CD may prune it before it is "
        f"taken over. {GONE}"
    )


def test_a_prune_that_waits_is_not_to_be_confirmed_before_another_component_has_the_object() -> (
    None
):
    applications = _application("old", wave=0) | _application("new", wave=1)
    old, new = (_namespace("Prune=confirm", component=name) for name in ("old", "new"))
    (namespace,) = planned_objects(applications | old, applications | new)
    assert namespace.effects[0].reason == (
        "It moves from old to new, which is synced no earlier: Argo CD may prune it before it is "
        f"taken over. Confirm no prune before new has it. {GONE} "
        f"{HELD} (Prune=confirm)."
    )


def test_objects_that_stay_the_same_are_left_out() -> None:
    assert planned_objects(_namespace(), _namespace()) == ()


def test_the_team_is_the_one_whose_component_it_is() -> None:
    found = planned_objects({}, _namespace(component="team-research"))
    assert [each.team for each in found] == ["research"]


def test_noise_is_what_only_describes() -> None:
    label = "metadata.labels"
    old, new = (
        placed(document("v1 ConfigMap", {label: {"app.kubernetes.io/version": version}}))
        for version in ("1", "2")
    )
    assert [each.is_noise for each in planned_objects(old, new)] == [True]


def _in_namespace() -> dict[PlacedObject, Document]:
    limits = document("v1 LimitRange", {"metadata.namespace": "team", "spec": {}})
    return placed(limits)


def test_what_goes_with_its_namespace_is_not_said_to_run_on() -> None:
    namespace = placed(document("v1 Namespace", {}, "team"))
    planned = only(planned_objects(namespace | _in_namespace(), {}), "LimitRange")
    assert planned.effects[0].reason == "It goes with its namespace team."
    planned = only(planned_objects(namespace | _in_namespace(), namespace), "LimitRange")
    assert planned.effects[0].reason.startswith("Running pods stay as they are; new ones get no")


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
