"""Nodes that wait for their GPUs, as Applications."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components.node_readiness.definition import NODE_READINESS
from charts_py.components.node_readiness.readiness import STARTUP_TAINT
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.platform.platform import Platform

KUBELET_STATUS_SECONDS = 10
"""The default of nodeStatusUpdateFrequency
(https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/)."""
POOLS = ("a100-mixed", "a10g-notebooks", "h100", "h100-spot")


@pytest.fixture
def platform(platform_of: Callable[[str], Platform], sample: Callable[..., str]) -> Platform:
    return platform_of(sample("karpenter"))


@pytest.fixture
def values(platform: Platform) -> Mapping[str, Any]:
    """Return the values of each release by its name."""
    components = NODE_READINESS.plan(platform)
    return {each.name: each.helm.values for each in components if each.helm is not None}


def test_each_pool_has_a_detector_and_all_have_one_controller_before_the_rules(
    platform: Platform,
) -> None:
    components = NODE_READINESS.plan(platform)
    assert [(each.name, each.wave, each.namespace) for each in components] == [
        *((f"node-problem-detector-{p}", Wave.OPERATORS, "node-problem-detector") for p in POOLS),
        ("node-readiness-controller", Wave.OPERATORS, "node-readiness-controller"),
        ("node-readiness", Wave.NODES, "node-readiness-controller"),
    ]


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("h100", ["nvidia.com/gpu=8"]),
        ("a10g-notebooks", ["nvidia.com/gpu.shared=16"]),
        (
            "a100-mixed",
            ["nvidia.com/mig-1g.5gb=16", "nvidia.com/mig-2g.10gb=8", "nvidia.com/mig-3g.20gb=8"],
        ),
    ],
)
def test_a_detector_expects_what_the_pools_facts_say(
    values: Mapping[str, Any], pool: str, expected: list[str]
) -> None:
    definitions = values[f"node-problem-detector-{pool}"]["settings"]["custom_monitor_definitions"]
    monitor = json.loads(definitions["gpu-monitor.json"])
    assert [rule["args"] for rule in monitor["rules"]] == [expected]
    assert monitor["pluginConfig"]["skip_initial_status"] is True


def test_a_detector_runs_on_the_nodes_of_its_pool_before_they_are_ready(
    values: Mapping[str, Any],
) -> None:
    release = values["node-problem-detector-h100-spot"]
    assert release["nodeSelector"] == {"gpuplane.io/pool": "h100-spot"}
    assert [(each["key"], each["value"]) for each in release["tolerations"]] == [
        ("gpuplane.io/purchase", "spot"),
        ("nvidia.com/gpu", "present"),
        ("readiness.k8s.io/gpu-not-ready", "true"),
    ]


def test_the_controller_has_the_image_of_its_release_and_stays_off_gpu_nodes(
    values: Mapping[str, Any],
) -> None:
    assert values["node-readiness-controller"] == {"image": {"tag": "v0.5.0"}, "tolerations": []}


def test_a_detector_waits_for_the_script_which_waits_for_the_kubelet(
    values: Mapping[str, Any],
) -> None:
    definitions = values["node-problem-detector-h100"]["settings"]["custom_monitor_definitions"]
    monitor = json.loads(definitions["gpu-monitor.json"])
    (wait,) = re.findall(r"^sleep (\d+)$", definitions["check_gpus.sh"], re.MULTILINE)
    timeouts = {monitor["pluginConfig"]["timeout"], monitor["rules"][0]["timeout"]}
    assert timeouts == {"30s"}
    assert KUBELET_STATUS_SECONDS < int(wait) < 30


def test_team_pods_never_tolerate_what_nodes_start_with(platform: Platform) -> None:
    assert platform.additions.startup_taints == (STARTUP_TAINT,)
    assert STARTUP_TAINT not in {taint for pool in platform.pools for taint in pool.facts.taints}
