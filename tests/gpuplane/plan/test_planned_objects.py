"""What becomes of objects among others: pruned, kept, moved, and which nodes they touch."""

from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.row import Row
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import Fields, document, only, placed, planned

AKS = "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool"
GKE = "container.cnrm.cloud.google.com/v1beta1 ContainerNodePool"
HASHED = (
    "It is part of the hash of the template: all nodes of the NodePool drift, and are replaced "
    "within the budgets."
)
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
    ("options", "kept", "verdict", "reason", "is_held"),
    [
        ("", True, Verdict.DANGEROUS, GONE, False),
        (
            "Delete=confirm,Prune=confirm",
            True,
            Verdict.DANGEROUS,
            f"{GONE} {HELD} (Prune=confirm).",
            True,
        ),
        (
            "Delete=confirm,Prune=confirm",
            False,
            Verdict.DANGEROUS,
            f"{GONE} {HELD} (Delete=confirm).",
            True,
        ),
        (
            "Prune=false",
            True,
            Verdict.SAFE,
            "It stays: Argo CD does not prune it (Prune=false).",
            False,
        ),
        (
            "Delete=false",
            False,
            Verdict.SAFE,
            "It stays: Argo CD does not delete it with its Application (Delete=false).",
            False,
        ),
        ("Prune=false", False, Verdict.DANGEROUS, GONE, False),
    ],
)
def test_sync_options_decide_whether_an_object_goes(
    options: str, kept: bool, verdict: Verdict, reason: str, is_held: bool
) -> None:
    application = _application("part")
    found = planned_objects(application | _namespace(options), application if kept else {})
    namespace = only(found, "Namespace")
    assert [(each.verdict, each.reason) for each in namespace.effects] == [(verdict, reason)]
    assert namespace.is_held == is_held


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


def _operator(**driver: object) -> dict[PlacedObject, Document]:
    source = {"chart": "gpu-operator", "helm": {"valuesObject": {"driver": driver}}}
    kind = "argoproj.io/v1alpha1 Application"
    return placed(document(kind, {"spec.source": source}), component="argocd")


def _labelled_pools(**models: str) -> dict[PlacedObject, Document]:
    rules = [
        {"labels": {"gpuplane.io/pool": pool, "gpuplane.io/gpu-model": model}}
        for pool, model in models.items()
    ]
    return placed(document("nfd.k8s-sigs.io/v1alpha1 NodeFeatureRule", {"spec.rules": rules}))


def test_a_driver_reaches_all_pools_of_its_vendor_as_its_upgrade_policy_says() -> None:
    policy = {"maxParallelUpgrades": 2, "waitForCompletion": {"podSelector": "a=b"}}
    pools = _labelled_pools(h200="h200", mi300x="mi300x")
    old, new = (_operator(version=each, upgradePolicy=policy) for each in ("1", "2"))
    (planned,) = planned_objects(pools | old, pools | new)
    assert planned.rollouts == (
        Rollout(Mechanism.DRIVER_UPGRADE, "h200", limits=("2", "25%"), drain_seconds=None),
    )


def test_a_driver_that_the_operator_takes_away_is_gone_from_all_nodes_at_once() -> None:
    pools = _labelled_pools(h200="h200")
    (planned,) = planned_objects(pools | _operator(enabled=True), pools | _operator(enabled=False))
    assert planned.rollouts == (Rollout(Mechanism.OPERAND_REMOVAL, "h200"),)


@pytest.mark.parametrize(
    "kind", ["nvidia.com/v1 ClusterPolicy", "nvidia.com/v1alpha1 NVIDIADriver"]
)
def test_what_the_operator_runs_is_gone_from_all_nodes_with_its_settings(kind: str) -> None:
    pools = _labelled_pools(h200="h200")
    gone = planned_objects(pools | placed(document(kind, {"spec": {}})), pools)
    (planned,) = gone
    assert planned.verdict is Verdict.DANGEROUS
    assert planned.rollouts == (Rollout(Mechanism.OPERAND_REMOVAL, "h200"),)


def _plugin_config(**configs: str) -> dict[PlacedObject, Document]:
    return placed(document("v1 ConfigMap", {"data": configs}, "device-plugin-config"))


def _labelled(config: str) -> dict[PlacedObject, Document]:
    labels = {"gpuplane.io/pool": "t4", "nvidia.com/device-plugin.config": config}
    return placed(
        document(
            "containerservice.azure.com/v1api20240901 ManagedClustersAgentPool",
            {"spec.nodeLabels": labels, "spec.maxCount": 10},
        )
    )


SLICED = "sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"
RENAMED = SLICED.replace("{resources", "{renameByDefault: true, resources")
MPS = SLICED.replace("timeSlicing", "mps")


@pytest.mark.parametrize(
    ("new", "verdict", "reason"),
    [
        (
            SLICED.replace("4", "8"),
            Verdict.ROLLING,
            (
                "The device plugin restarts to go from old to new: running pods stay, and new ones "
                "wait for it."
            ),
        ),
        (
            RENAMED,
            Verdict.DISRUPTIVE,
            (
                "The device plugin goes from old to new and names its resources differently: "
                "running pods stay; new ones that ask for the old name stay Pending, and those "
                "that ask for the new one may get GPUs that running pods still use. Drain the "
                "nodes first."
            ),
        ),
        (
            MPS,
            Verdict.DISRUPTIVE,
            (
                "The device plugin goes from old to new: an MPS control daemon starts, and sets "
                "the GPUs to EXCLUSIVE_PROCESS. Running pods do not compute through it: they may "
                "keep it from their GPUs, and processes that they start fail. Drain the nodes "
                "first."
            ),
        ),
    ],
)
def test_another_label_of_sharing_does_what_both_configurations_say(
    new: str, verdict: Verdict, reason: str
) -> None:
    configs = _plugin_config(old=SLICED, new=new)
    (planned,) = planned_objects(configs | _labelled("old"), configs | _labelled("new"))
    assert [(each.verdict, each.reason) for each in planned.effects] == [(verdict, reason)]
    assert planned.rollouts == (Rollout(Mechanism.PLUGIN_RESTART, "t4", nodes=10),)


@pytest.mark.parametrize(
    ("new", "daemon"),
    [
        (MPS.replace("4", "8"), "the MPS control daemon restarts, and the processes that"),
        (SLICED, "the MPS control daemon quits, and the processes that"),
    ],
)
def test_processes_fail_whose_mps_control_daemon_stops(new: str, daemon: str) -> None:
    configs = _plugin_config(old=MPS, new=new)
    (planned,) = planned_objects(configs | _labelled("old"), configs | _labelled("new"))
    assert [(each.verdict, each.reason) for each in planned.effects] == [
        (
            Verdict.DISRUPTIVE,
            f"The device plugin goes from old to new: {daemon} compute through it fail.",
        )
    ]


def test_a_text_of_sharing_is_about_the_pools_that_have_it() -> None:
    pool = _labelled("shared")
    found = planned_objects(
        pool | _plugin_config(shared=SLICED), pool | _plugin_config(shared=RENAMED)
    )
    assert [(each.verdict, each.pools) for each in found] == [(Verdict.SAFE, ("t4",))]


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

    row = Row(("*",), Verdict.SAFE, "It changes.", "", fields=("data",), object_condition=asks)
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
