"""The daemon that tests new nodes, and the rule that keeps pods off them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.components.gpu_burn_in.definition import GPU_BURN_IN, LONGEST_MINUTES
from charts_py.components.node_pools import NODE_POOLS
from charts_py.components.node_problem_detector.definition import NODE_PROBLEM_DETECTOR
from charts_py.components.node_problem_detector.monitors import burn_in_monitors
from charts_py.components.node_readiness.controller import NODE_READINESS_CONTROLLER
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpus.taint import Taint
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

Objects = Mapping[tuple[str, str], Document]

TAINT = Taint("readiness.k8s.io/gpu-burn-in", "true", "NoSchedule")


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("burn-in")


@pytest.fixture
def objects(platform: Platform, documents_of_component: DocumentsOf) -> Objects:
    (component,) = GPU_BURN_IN.plan(platform)
    documents = documents_of_component(component)
    return {(each["kind"], each["metadata"]["name"]): each for each in documents}


def test_every_pool_has_one_whose_gpus_can_be_tested(objects: Objects) -> None:
    assert sorted(objects) == [
        ("DaemonSet", "gpu-burn-in-h100"),
        ("DaemonSet", "gpu-burn-in-l40s-shared"),
        ("NodeReadinessRule", "gpu-burn-in-h100"),
        ("NodeReadinessRule", "gpu-burn-in-l40s-shared"),
    ]


def test_a_rule_keeps_pods_off_until_the_burn_in_has_passed_once(objects: Objects) -> None:
    assert objects["NodeReadinessRule", "gpu-burn-in-h100"]["spec"] == {
        "nodeSelector": {"matchLabels": {"gpuplane.io/pool": "h100"}},
        "conditions": [{"type": "gpuplane.io/GpuBurnInNotPassed", "requiredStatus": "False"}],
        "taint": {"key": TAINT.key, "value": TAINT.value, "effect": TAINT.effect},
        "enforcementMode": "bootstrap-only",
    }


def test_the_test_reaches_all_gpus_without_the_device_plugin(objects: Objects) -> None:
    pod = objects["DaemonSet", "gpu-burn-in-h100"]["spec"]["template"]["spec"]
    (container,) = pod["initContainers"]
    _, _, script, *arguments = container.pop("command")
    assert script.startswith("# Usage: burn_in.sh LEVEL MINUTES GPUS\n")
    assert arguments == ["gpu-burn-in", "3", str(LONGEST_MINUTES), "8"]
    assert container == {
        "name": "gpu-burn-in",
        "image": "nvcr.io/nvidia/cloud-native/dcgm:4.6.0-1-ubuntu24.04",
        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}],
        "securityContext": {"privileged": True},
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
        "volumeMounts": [
            {"name": "gpu-burn-in", "mountPath": "/burn-in"},
            {"name": "validations", "mountPath": "/validations", "readOnly": True},
        ],
    }
    assert (pod["runtimeClassName"], pod["hostPID"]) == ("nvidia", True)
    assert pod["imagePullSecrets"] == [{"name": "mirror"}]


def test_what_stays_after_the_test_has_no_rights_and_no_gpu(objects: Objects) -> None:
    pod = objects["DaemonSet", "gpu-burn-in-h100"]["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["containers"] == [
        {
            "name": "idle",
            "image": pod["initContainers"][0]["image"],
            "command": ["sleep", "infinity"],
            "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "readOnlyRootFilesystem": True,
                "runAsNonRoot": True,
                "runAsUser": 65532,
                "runAsGroup": 65532,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
            "resources": {
                "requests": {"cpu": "10m", "memory": "64Mi"},
                "limits": {"memory": "64Mi"},
            },
            "volumeMounts": [{"name": "gpu-burn-in", "mountPath": "/burn-in", "readOnly": True}],
        }
    ]


def test_no_wave_waits_for_a_test_and_no_update_ends_one(objects: Objects) -> None:
    spec = objects["DaemonSet", "gpu-burn-in-h100"]["spec"]
    assert spec["updateStrategy"] == {"type": "OnDelete"}


def test_the_daemon_ends_before_the_operator_replaces_the_driver(objects: Objects) -> None:
    pod = objects["DaemonSet", "gpu-burn-in-h100"]["spec"]["template"]["spec"]
    assert pod["nodeSelector"] == {
        "gpuplane.io/pool": "h100",
        "nvidia.com/gpu.deploy.client": "true",
    }


def test_daemons_tolerate_the_taint_and_pods_of_teams_do_not(platform: Platform) -> None:
    assert TAINT in platform.daemon_taints(platform.pools)
    assert TAINT not in {taint for pool in platform.pools for taint in pool.facts.taints}


def test_nodes_of_karpenter_start_with_the_taint_where_a_burn_in_can_run(
    platform_after: PlatformWith,
) -> None:
    addons = ("nodeReadiness: true", "gpuHealth: {burnIn: {}}")
    assert platform_after("karpenter", addons).contribution.startup_taints == {
        "h100": (TAINT,),
        "h100-spot": (TAINT,),
        "a100-mixed": (),
        "a10g-notebooks": (TAINT,),
    }


def test_no_node_starts_with_the_taint_that_no_rule_takes_off(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    addons = ("nodeReadiness: true", "gpuHealth: {burnIn: {}}")
    platform = platform_after("karpenter", addons)
    (component,) = GPU_BURN_IN.plan(platform)
    freed = {
        each["spec"]["nodeSelector"]["matchLabels"]["gpuplane.io/pool"]
        for each in documents_of_component(component)
        if each["kind"] == "NodeReadinessRule"
    }
    started = {
        each["spec"]["template"]["metadata"]["labels"]["gpuplane.io/pool"]
        for nodes in NODE_POOLS.plan(platform)
        for each in documents_of_component(nodes)
        if each["kind"] == "NodePool" and "startupTaints" in each["spec"]["template"]["spec"]
    }
    assert started == freed == {"h100", "h100-spot", "a10g-notebooks"}


def test_the_readiness_controller_is_there_for_a_burn_in_alone(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("burn-in", ("action: quarantine", "action: observe"))
    assert list(NODE_READINESS_CONTROLLER.plan(platform))


def test_the_detector_of_each_such_pool_reads_the_verdict(platform: Platform) -> None:
    read: dict[str, Any] = {}
    for each in NODE_PROBLEM_DETECTOR.plan(platform):
        assert each.helm is not None
        held = each.helm.values["settings"]["custom_monitor_definitions"]
        found = [json.loads(text) for name, text in held.items() if name.startswith("burn-in-")]
        read[each.name.removeprefix("node-problem-detector-")] = [
            (rule["condition"], rule["args"], monitor["pluginConfig"]["skip_initial_status"])
            for monitor in found
            for rule in monitor["rules"]
        ]
    both = [
        ("gpuplane.io/GpuBurnInNotPassed", ["passed"], True),
        ("gpuplane.io/GpuBurnInFailed", ["not-failed"], True),
    ]
    assert read == {"h100": both, "h100-mig": [], "l40s-shared": both, "mi300x": []}


def test_a_condition_that_is_well_does_not_say_that_the_node_was_tested() -> None:
    not_passed, _ = burn_in_monitors()
    (condition,) = json.loads(not_passed.content)["conditions"]
    assert condition["message"] == (
        "the GPUs have passed, or were in use and untested: see the verdict"
    )


def test_a_burn_in_is_stuck_only_after_the_longest_one() -> None:
    failed, stuck = GPU_BURN_IN.rules.alerts()
    assert (failed.lasting, stuck.lasting) == ("1m", "120m")
    assert stuck.expression == (
        'max by (node) (kube_node_spec_taint{key="readiness.k8s.io/gpu-burn-in"}) == 1'
        f" unless on (node) {failed.expression}"
    )
