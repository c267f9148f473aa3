import copy
import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonpatch
import pytest
from msgspec import structs

from policies.admission import MAX_WARNING_LENGTH, Admission, Effect, Review, User
from policies.document import Document
from policies.engine import MAX_FINDINGS, Engine
from policies.finding import Finding, Severity
from policies.operation import Operation
from policies.pod import Pod
from policies.rule import Audience, Context, Message, Rule
from policies.rule_name import Mode, RuleName
from policies.rules import RULES
from policies.settings import PoolSettings, RuleException, Settings
from tests.policies.conftest import GPU_TOLERATION, TODAY, admit, gpu_pod

GPU_CLASS = "deviceclass.resource.kubernetes.io/gpu.nvidia.com"


def _effects(admission: Admission) -> list[tuple[str, str]]:
    return [(o.finding.rule.value, o.effect.value) for o in admission.outcomes]


def test_each_rule_sees_what_those_before_it_have_fixed() -> None:
    pod: Document = {
        "metadata": {"name": "pod"},
        "spec": {
            "containers": [
                {
                    "name": "train",
                    "image": "ghcr.io/acme/train:1",
                    "resources": {
                        "requests": {"nvidia.com/gpu": "8"},
                        "limits": {"memory": "64Gi"},
                    },
                },
                {"name": "log", "image": "ghcr.io/acme/log:1"},
            ]
        },
    }
    original = copy.deepcopy(pod)
    admission = admit(pod)
    mounts = [{"name": "gpuplane-shm", "mountPath": "/dev/shm"}]  # noqa: S108 # in a container
    assert admission.document == {
        "metadata": {
            "name": "pod",
            "annotations": {
                "gpuplane.io/fixed": "gpu-requests-equal-limits,tolerations,shared-memory,"
                "visible-devices"
            },
        },
        "spec": {
            "containers": [
                {
                    "name": "train",
                    "image": "ghcr.io/acme/train:1",
                    "resources": {
                        "requests": {"nvidia.com/gpu": "8"},
                        "limits": {"memory": "64Gi", "nvidia.com/gpu": "8"},
                    },
                    "volumeMounts": mounts,
                },
                {
                    "name": "log",
                    "image": "ghcr.io/acme/log:1",
                    "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
                    "volumeMounts": mounts,
                },
            ],
            "volumes": [
                {"name": "gpuplane-shm", "emptyDir": {"medium": "Memory", "sizeLimit": "32Gi"}}
            ],
            "tolerations": [GPU_TOLERATION],
        },
    }
    patch = [operation.to_json() for operation in admission.operations]
    assert jsonpatch.apply_patch(original, patch) == admission.document
    assert admission.allowed
    assert admission.warnings == ()
    assert admission.audit_annotations["tolerations"] == (
        "fixed: The pod does not tolerate the taint nvidia.com/gpu=present:NoSchedule of nodes "
        "that offer nvidia.com/gpu."
    )


def test_a_pod_that_concerns_no_rule_passes_untouched() -> None:
    pod: Document = {"spec": {"containers": [{"name": "web", "image": "nginx"}]}}
    assert admit(copy.deepcopy(pod)) == Admission(pod)


@pytest.mark.parametrize(
    ("mode", "effects"),
    [
        (Mode.OFF, []),
        (Mode.AUDIT, ["audited", "audited", "audited"]),
        (Mode.WARN, ["warned", "warned", "warned"]),
        (Mode.ENFORCE, ["fixed", "denied", "warned"]),
    ],
)
def test_a_finding_does_what_the_mode_of_its_rule_lets_it(mode: Mode, effects: list[str]) -> None:
    pod = gpu_pod({"securityContext": {"privileged": True}})
    modes = {RuleName.SHARED_MEMORY: mode, RuleName.PRIVILEGED: mode, RuleName.MEMORY_LIMIT: mode}
    admission = admit(pod, mode=Mode.OFF, modes=modes)
    assert [effect for _, effect in _effects(admission)] == effects
    assert admission.allowed is ("denied" not in effects)
    assert bool(admission.operations) is ("fixed" in effects)


def test_a_second_admission_changes_nothing() -> None:
    once = admit(gpu_pod(), "training").document
    assert admit(copy.deepcopy(once), "training").operations == ()


def test_a_later_fix_is_added_to_the_annotation() -> None:
    pod = gpu_pod()
    pod["metadata"]["annotations"] = {"gpuplane.io/fixed": "team-labels,tolerations"}
    assert admit(pod).document["metadata"]["annotations"] == {
        "gpuplane.io/fixed": "team-labels,tolerations,shared-memory"
    }


@pytest.mark.parametrize(
    ("namespace", "document", "changes"),
    [
        ("kube-system", {}, {}),
        ("gpu-operator", {}, {"exempt_namespaces": ("gpu-operator",)}),
        (
            "monitoring",
            {"spec": {"serviceAccountName": "dcgm"}},
            {"exempt_service_accounts": ("monitoring/dcgm",)},
        ),
        ("monitoring", {}, {"exempt_service_accounts": ("monitoring/default",)}),
        ("plain", {"metadata": {"deletionTimestamp": "2026-11-21T00:00:00Z"}}, {}),
        ("plain", {"spec": {"nodeSelector": {"kubernetes.io/os": "windows"}}}, {}),
    ],
)
def test_an_exempt_pod_passes_untouched(
    namespace: str, document: Document, changes: dict[str, Any]
) -> None:
    pod = gpu_pod(hostIPC=True, **document.get("spec", {}))
    pod["metadata"] |= document.get("metadata", {})
    assert admit(copy.deepcopy(pod), namespace, **changes) == Admission(pod, is_exempt=True)


@pytest.mark.parametrize(
    ("operation", "group", "denied"),
    [
        ("CREATE", "system:nodes", []),
        ("CREATE", "ml-research", [RuleName.NODE_NAME, RuleName.HOST_IPC]),
        ("UPDATE", "ml-research", []),
    ],
)
def test_a_static_pod_is_exempt_where_a_kubelet_shows_it(
    operation: str, group: str, denied: list[RuleName]
) -> None:
    pod = gpu_pod(hostIPC=True, nodeName="gpu-0")
    pod["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "x"}
    admission = admit(pod, review={"operation": operation, "user": User("a", (group,))})
    assert [finding.rule for finding in admission.denials] == denied


def test_a_pod_that_names_windows_and_does_not_select_it_is_judged() -> None:
    admission = admit(gpu_pod(os={"name": "windows"}, hostIPC=True))
    assert [finding.rule for finding in admission.denials] == [RuleName.HOST_IPC]


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_what_makes_no_pod_is_not_judged(operation: str) -> None:
    pod = gpu_pod(hostIPC=True)
    admission = admit(copy.deepcopy(pod), review={"operation": operation})
    assert admission == Admission(pod, is_exempt=True)


def test_the_namespace_of_the_request_counts_before_that_of_the_pod(settings: Settings) -> None:
    pod = gpu_pod(hostIPC=True)
    pod["metadata"]["namespace"] = "kube-system"
    assert not Engine(settings).admit(copy.deepcopy(pod), Review("plain", TODAY)).allowed
    assert Engine(settings).admit(pod, Review("", TODAY)).allowed


def test_an_update_patches_only_what_the_api_lets_it() -> None:
    admission = admit(gpu_pod(), "training", review={"operation": "UPDATE"})
    assert [operation.path for operation in admission.operations] == [
        "/spec/tolerations",
        "/metadata/labels",
        "/metadata/annotations",
    ]


def test_an_update_is_not_refused_for_what_it_leaves_as_it_was() -> None:
    old = gpu_pod(hostIPC=True)
    new = gpu_pod({"image": "train:latest"}, hostIPC=True)
    admission = admit(new, review={"operation": "UPDATE", "old": old})
    assert [finding.rule for finding in admission.denials] == [RuleName.IMAGE_TAG]


def test_a_subresource_is_judged_and_not_patched() -> None:
    admission = admit(gpu_pod(hostIPC=True), review={"subresource": "resize"})
    assert admission.operations == ()
    assert [finding.rule for finding in admission.denials] == [RuleName.HOST_IPC]


VOID = [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]


def _debugged(*containers: Document) -> Document:
    pod: Document = gpu_pod({"image": "train:1"}, ephemeralContainers=list(containers))
    return pod


def _debugger(name: str, **fields: Any) -> Document:
    return {"name": name, "image": "cuda:13.0.1", **fields}


def _debugging(old: Document, *, fixes: bool = True) -> dict[str, Any]:
    return {"operation": "UPDATE", "subresource": "ephemeralcontainers", "old": old, "fixes": fixes}


def test_an_added_ephemeral_container_is_fixed_and_nothing_else() -> None:
    old = _debugged(_debugger("old"))
    new = _debugged(_debugger("new"), _debugger("old"))
    admission = admit(new, review=_debugging(old))
    assert admission.operations == (Operation("add", "/spec/ephemeralContainers/0/env", VOID),)
    assert admission.denials == ()


def test_an_added_ephemeral_container_that_was_not_fixed_is_denied() -> None:
    old = _debugged(_debugger("old"))
    new = _debugged(_debugger("new"), _debugger("old"))
    admission = admit(new, review=_debugging(old, fixes=False))
    assert [finding.path for finding in admission.denials] == ["/spec/ephemeralContainers/0/env"]


def test_ephemeral_containers_of_before_are_not_denied() -> None:
    before = [_debugger(f"old-{number}", image="cuda:latest") for number in range(200)]
    old = _debugged(*before)
    new = _debugged(*reversed(before), _debugger("new", env=VOID))
    assert admit(new, review=_debugging(old, fixes=False)).denials == ()
    new["spec"]["ephemeralContainers"][-1]["env"] = []
    denied = admit(new, review=_debugging(old, fixes=False)).denials
    assert [finding.path for finding in denied] == ["/spec/ephemeralContainers/200/env"]


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}]}, RuleName.VISIBLE_DEVICES),
        ({"env": [*VOID, {"name": "LD_PRELOAD", "value": "/a.so"}]}, RuleName.LD_PRELOAD),
        ({"env": VOID, "securityContext": {"privileged": True}}, RuleName.PRIVILEGED),
        ({"env": VOID, "image": "cuda"}, RuleName.IMAGE_TAG),
        ({"env": VOID, "image": "example.com/cuda:1"}, RuleName.IMAGE_REGISTRY),
    ],
)
def test_what_cannot_be_fixed_in_an_added_ephemeral_container_is_denied(
    fields: Any, rule: RuleName
) -> None:
    review = _debugging(_debugged(), fixes=False)
    new = _debugged(_debugger("new", **fields))
    admission = admit(new, review=review, registries=("docker.io/library",))
    assert [finding.rule for finding in admission.denials] == [rule]


def test_an_update_of_the_pod_is_not_denied_for_an_ephemeral_container() -> None:
    old = _debugged(_debugger("old"))
    review = {"operation": "UPDATE", "old": old, "fixes": False}
    assert admit(_debugged(_debugger("old")), review=review).denials == ()


def test_validation_denies_what_must_not_stay_unfixed() -> None:
    pod = gpu_pod({"image": "train:1"}, priorityClassName="training")
    pod["spec"]["containers"].append({"name": "log", "image": "log:1"})
    admission = admit(pod, "training", review={"fixes": False})
    assert admission.operations == ()
    assert _effects(admission) == [
        ("tolerations", "audited"),
        ("team-labels", "denied"),
        ("shared-memory", "audited"),
        ("visible-devices", "denied"),
        ("memory-limit", "warned"),
    ]


def _rule(evaluate: Any) -> Rule:
    return Rule(RuleName.HOST_IPC, "A pod passes.", evaluate, Severity.FIX, Audience.ALL_PODS)


def _raises(_pod: Pod, _context: Context) -> Iterator[Finding]:
    raise KeyError("secret value")


def _does_not_apply(_pod: Pod, _context: Context) -> Iterator[Finding]:
    fix = (Operation("add", "/a", 1), Operation("remove", "/missing"))
    yield _rule(None).finding(Message("m", "r"), path="", culprit="x", fix=fix)


@pytest.mark.parametrize(
    ("evaluate", "error", "culprit"),
    [
        (_raises, "KeyError", " in _raises"),
        (_does_not_apply, "PatchError", "policies/operation.py:"),
    ],
)
def test_a_rule_that_fails_is_skipped_and_reported(
    settings: Settings, evaluate: Any, error: str, culprit: str
) -> None:
    admission = Engine(settings, (_rule(evaluate),)).admit({"spec": {}}, Review("plain", TODAY))
    assert (admission.document, admission.operations, admission.allowed) == ({"spec": {}}, (), True)
    assert [(o.effect, o.finding.message) for o in admission.outcomes] == [
        (Effect.FAILED, f"The rule failed with {error}, so it was skipped.")
    ]
    (failure,) = [o.failure for o in admission.outcomes]
    assert failure is not None
    assert failure.error == error
    assert culprit in failure.frames[-1]


def test_a_warning_is_short_and_on_one_line() -> None:
    pod = gpu_pod({"name": "a\nb\x1b[31m" + "x" * 80})
    (warning,) = admit(pod, modes={RuleName.SHARED_MEMORY: Mode.OFF}).warnings
    assert warning == (
        f"memory-limit: The container a\\x0ab\\x1b[31m{'x' * 43}... asks for a GPU and has no m..."
    )
    assert len(warning) == MAX_WARNING_LENGTH


def test_an_exception_reports_until_it_expires(settings: Settings) -> None:
    exception = RuleException(RuleName.HOST_IPC, "plain", "old code", "a@example.com", TODAY)
    engine = Engine(structs.replace(settings, exceptions=(exception,)))
    tomorrow = TODAY + dt.timedelta(days=1)
    assert engine.admit(gpu_pod(hostIPC=True), Review("plain", TODAY)).allowed
    assert not engine.admit(gpu_pod(hostIPC=True), Review("plain", tomorrow)).allowed


@pytest.mark.parametrize(
    ("changes", "enforces"),
    [
        ({}, True),
        ({"mode": Mode.WARN}, False),
        ({"mode": Mode.OFF, "modes": {RuleName.HOST_IPC: Mode.ENFORCE}}, True),
        ({"exempt_namespaces": ("research",)}, False),
    ],
)
def test_a_namespace_in_which_no_rule_is_enforced_is_known(
    settings: Settings, changes: dict[str, Any], enforces: bool
) -> None:
    engine = Engine(structs.replace(settings, **changes))
    assert engine.enforces("research", TODAY) is enforces
    assert engine.enforces("kube-system", TODAY) is False


def test_a_rule_is_left_out_where_it_can_find_nothing(settings: Settings) -> None:
    rule = replace(_rule(_raises), concerns=lambda context: context.namespace_name == "plain")
    engine = Engine(settings, (rule,))
    assert engine.admit({"spec": {}}, Review("spot", TODAY)).outcomes == ()
    assert len(engine.admit({"spec": {}}, Review("plain", TODAY)).outcomes) == 1


def test_a_hostile_pod_of_thousands_of_resources_is_judged_in_part() -> None:
    requests = {f"nvidia.com/mig-9g.{number}gb": 1 for number in range(1000)}
    admission = admit(
        {"spec": {"containers": [{"resources": {"requests": requests}}]}}, review={"fixes": False}
    )
    effects = [o.effect for o in admission.outcomes if o.finding.rule == "gpu-resource-offered"]
    assert effects == [Effect.DENIED] * MAX_FINDINGS


def _asking(limits: Document | None = None, requests: Document | None = None) -> Document:
    resources = {"limits": {"memory": "8Gi", **(limits or {})}, "requests": requests or {}}
    return {"spec": {"containers": [{"name": "train", "resources": resources}]}}


def test_a_pod_that_asks_for_gpus_by_their_device_class_is_fixed_like_any_other(
    dra_pool: PoolSettings,
) -> None:
    admission = admit(_asking(requests={GPU_CLASS: 8}), pools=(dra_pool,), runtime_class="nvidia")
    spec = admission.document["spec"]
    assert _effects(admission) == [
        ("gpu-requests-equal-limits", "fixed"),
        ("tolerations", "fixed"),
        ("runtime-class", "fixed"),
        ("shared-memory", "fixed"),
    ]
    assert spec["containers"][0]["resources"]["limits"] == {"memory": "8Gi", GPU_CLASS: 8}
    assert [toleration["key"] for toleration in spec["tolerations"]] == ["nvidia.com/gpu"]


@pytest.mark.parametrize(
    ("limits", "requests", "rule", "message"),
    [
        (
            {GPU_CLASS: "0.5"},
            {},
            "gpu-count",
            f"The container train asks for 0.5 of {GPU_CLASS} in limits, which is not whole.",
        ),
        (
            {GPU_CLASS: 2},
            {GPU_CLASS: 1},
            "gpu-requests-equal-limits",
            (
                f"The container train requests 1 of {GPU_CLASS} but limits it to 2; the two must "
                "be equal."
            ),
        ),
        (
            {GPU_CLASS: 9},
            {},
            "gpus-per-node",
            f"The pod asks for 9 of {GPU_CLASS}, but the largest node has 8.",
        ),
        (
            {"deviceclass.resource.kubernetes.io/mig.nvidia.com": 1},
            {},
            "gpu-resource-offered",
            (
                "The container train asks for deviceclass.resource.kubernetes.io/mig.nvidia.com, "
                "which no pool offers."
            ),
        ),
    ],
)
def test_a_pod_that_asks_for_gpus_by_their_device_class_is_refused_like_any_other(
    dra_pool: PoolSettings, limits: Document, requests: Document, rule: str, message: str
) -> None:
    admission = admit(_asking(limits, requests), pools=(dra_pool,))
    assert [
        (outcome.finding.rule.value, outcome.finding.message)
        for outcome in admission.outcomes
        if outcome.effect is Effect.DENIED
    ] == [(rule, message)]


def test_a_device_class_that_is_no_gpu_makes_no_gpu_pod() -> None:
    limits = {"deviceclass.resource.kubernetes.io/dranet": 1}
    assert admit(_asking(limits)).outcomes == ()


def test_a_device_class_is_offered_only_where_a_driver_gives_out_the_gpus() -> None:
    admission = admit(_asking({GPU_CLASS: 1}))
    assert ("gpu-resource-offered", "denied") in _effects(admission)


def test_namespaces_that_the_settings_do_not_name_share_a_plan(settings: Settings) -> None:
    asked: list[str] = []
    judged: list[str] = []

    def concerns(context: Context) -> bool:
        asked.append(context.namespace_name)
        return True

    def evaluate(_: Pod, context: Context) -> tuple[Finding, ...]:
        judged.append(context.namespace_name)
        return ()

    rule = replace(RULES[0], concerns=concerns, evaluate=evaluate, audience=Audience.ALL_PODS)
    excepted = RuleException(rule.name, "excepted", "a", "a@example.com", dt.date.max)
    engine = Engine(structs.replace(settings, exceptions=(excepted,)), (rule,))
    names = ["plain", "excepted", "a", "plain", "b", "c" * 2**20]
    for name in names:
        engine.admit({"spec": {}}, Review(name, dt.date.min))
    assert (asked, judged) == (["plain", "excepted", ""], names)
