"""The script that asks whether a node offers what its pool promises."""

import json
import subprocess
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

import pytest

Check = Callable[..., tuple[int, str]]

SCRIPT = (files("charts_py.components.node_problem_detector") / "check_gpus.sh").read_text("utf-8")
PLACE = "/device-plugins/kubelet_internal_checkpoint"
MIG = {"nvidia.com/mig-1g.10gb": 16, "nvidia.com/mig-2g.20gb": 8, "nvidia.com/gpu": 0}


def checkpoint(devices: Mapping[str, int]) -> str:
    """Return the kubelet's file where device plugins have registered so many healthy devices.

    https://github.com/kubernetes/kubernetes, pkg/kubelet/cm/devicemanager/checkpoint at v1.36
    """
    registered = {name: [f"GPU-{i}" for i in range(count)] for name, count in devices.items()}
    entry = {"PodUID": "a", "ResourceName": "nvidia.com/gpu", "DeviceIDs": {"0": ["GPU-0"]}}
    data = {"PodDeviceEntries": [entry], "RegisteredDevices": registered}
    return json.dumps({"Data": data, "Checksum": 1}, separators=(",", ":"))


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Return the function that runs the script over a file, without waiting for the kubelet."""

    def run(content: str | None, *expected: str) -> tuple[int, str]:
        file, script = tmp_path / "checkpoint", tmp_path / "check_gpus.sh"
        if content is not None:
            file.write_text(content, encoding="utf-8")
        assert (SCRIPT.count(PLACE), SCRIPT.count("sleep 12")) == (1, 1)
        script.write_text(SCRIPT.replace(PLACE, str(file)).replace("sleep 12", "sleep 0"))
        command = ["sh", str(script), *expected]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout.strip()

    return run


@pytest.mark.parametrize(
    ("devices", "expected", "answer"),
    [
        ({"nvidia.com/gpu": 8}, ["nvidia.com/gpu=8"], (0, "")),
        ({"nvidia.com/gpu": 7}, ["nvidia.com/gpu=8"], (1, "nvidia.com/gpu: 7 of 8")),
        ({}, ["nvidia.com/gpu=8"], (1, "nvidia.com/gpu: 0 of 8")),
        # Before the GPUs are partitioned, the plugin offers them as a whole.
        (
            {"nvidia.com/gpu": 8},
            ["nvidia.com/mig-1g.10gb=16"],
            (1, "nvidia.com/mig-1g.10gb: 0 of 16"),
        ),
        (MIG, ["nvidia.com/mig-1g.10gb=16", "nvidia.com/mig-2g.20gb=8"], (0, "")),
        (
            MIG,
            ["nvidia.com/mig-2g.20gb=8", "nvidia.com/mig-3g.40gb=8"],
            (1, "nvidia.com/mig-3g.40gb: 0 of 8"),
        ),
        # A name that begins like another one is not that one.
        ({"nvidia.com/gpu.shared": 32}, ["nvidia.com/gpu=8"], (1, "nvidia.com/gpu: 0 of 8")),
        ({"nvidia.com/gpu.shared": 32}, ["nvidia.com/gpu.shared=32"], (0, "")),
        ({"amd.com/gpu": 8}, ["amd.com/gpu=8"], (0, "")),
    ],
)
def test_a_node_is_ready_once_every_device_of_every_resource_is_there(
    check: Check, devices: Mapping[str, int], expected: list[str], answer: tuple[int, str]
) -> None:
    assert check(checkpoint(devices), *expected) == answer


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (None, (1, "no device plugin has registered")),
        ("", (1, "nvidia.com/gpu: 0 of 8")),
        ("not what the kubelet writes", (1, "nvidia.com/gpu: 0 of 8")),
    ],
)
def test_a_file_that_says_nothing_frees_no_node(
    check: Check, content: str | None, answer: tuple[int, str]
) -> None:
    assert check(content, "nvidia.com/gpu=8") == answer


def test_without_anything_to_expect_the_answer_is_unknown(check: Check) -> None:
    assert check(checkpoint({"nvidia.com/gpu": 8})) == (2, "")
