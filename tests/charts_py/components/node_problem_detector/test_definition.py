"""The detectors of a cluster's pools, as Applications."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from charts_py.components.node_problem_detector.definition import NODE_PROBLEM_DETECTOR
from tests.charts_py.fixture_types import PlatformWith

Values = Callable[..., Mapping[str, Any]]

KUBELET_STATUS_SECONDS = 10
"""The default of nodeStatusUpdateFrequency
(https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/)."""
ADDONS = "  nodeReadiness: true\n"
HEALTH = "  gpuHealth: {action: evict}\n"


@pytest.fixture
def values(platform_after: PlatformWith) -> Values:
    """Return the function that returns the values of each release of a sample by its name."""

    def planned(name: str, *changes: tuple[str, str]) -> Mapping[str, Any]:
        components = NODE_PROBLEM_DETECTOR.plan(platform_after(name, *changes))
        return {each.name: each.helm.values for each in components if each.helm is not None}

    return planned


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
    values: Values, pool: str, expected: list[str]
) -> None:
    settings = values("karpenter")[f"node-problem-detector-{pool}"]["settings"]
    monitor = json.loads(settings["custom_monitor_definitions"]["gpu-monitor.json"])
    assert [rule["args"] for rule in monitor["rules"]] == [expected]
    assert monitor["pluginConfig"]["skip_initial_status"] is True


@pytest.mark.parametrize(
    ("addons", "taints"),
    [
        (ADDONS, [("readiness.k8s.io/gpu-not-ready", "true", "NoSchedule")]),
        (HEALTH, [("readiness.k8s.io/gpu-unhealthy", "true", "NoExecute")]),
    ],
)
def test_a_detector_stays_on_the_nodes_of_its_pool_whatever_is_wrong_with_them(
    values: Values, addons: str, taints: list[tuple[str, str, str]]
) -> None:
    release = values("karpenter", (ADDONS, addons))["node-problem-detector-h100-spot"]
    assert release["nodeSelector"] == {"gpuplane.io/pool": "h100-spot"}
    assert [(each["key"], each["value"], each["effect"]) for each in release["tolerations"]] == [
        ("gpuplane.io/purchase", "spot", "NoSchedule"),
        ("nvidia.com/gpu", "present", "NoSchedule"),
        *taints,
    ]


def test_a_detector_waits_for_the_script_which_waits_for_the_kubelet(values: Values) -> None:
    settings = values("karpenter")["node-problem-detector-h100"]["settings"]
    definitions = settings["custom_monitor_definitions"]
    monitor = json.loads(definitions["gpu-monitor.json"])
    (wait,) = re.findall(r"^sleep (\d+)$", definitions["check_gpus.sh"], re.MULTILINE)
    timeouts = {monitor["pluginConfig"]["timeout"], monitor["rules"][0]["timeout"]}
    assert timeouts == {"30s"}
    assert KUBELET_STATUS_SECONDS < int(wait) < 30


@pytest.mark.parametrize(
    ("sample_name", "changes", "release", "files", "is_privileged"),
    [
        ("karpenter", (), "h100", ["gpu-monitor.json"], False),
        (
            "karpenter",
            ((ADDONS, HEALTH),),
            "h100",
            ["gpu-monitor.json", "xid-events.json", "xid-faults.json"],
            True,
        ),
        ("amd", (("pools:", f"addons:\n{HEALTH}pools:"),), "mi300x", ["gpu-monitor.json"], False),
        (
            "dra",
            (("pools:", f"addons:\n{HEALTH}pools:"),),
            "h100-dra",
            ["xid-events.json", "xid-faults.json"],
            True,
        ),
    ],
)
def test_a_detector_is_privileged_only_where_it_reads_the_kernels_log(
    values: Values,
    sample_name: str,
    changes: tuple[tuple[str, str], ...],
    release: str,
    files: list[str],
    is_privileged: bool,
) -> None:
    found = values(sample_name, *changes)[f"node-problem-detector-{release}"]
    settings = found["settings"]
    monitors = (*settings["log_monitors"], *settings["custom_plugin_monitors"])
    assert sorted(monitors) == [f"/custom-config/{name}" for name in files]
    held = settings["custom_monitor_definitions"]
    assert sorted(name for name in held if name.endswith(".json")) == files
    assert found["securityContext"]["privileged"] is is_privileged
