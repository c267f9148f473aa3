"""A test of the network: what it runs, and how it judges what nccl-tests print."""

import subprocess
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from charts_py.objects.document import Document
from gpuplane.workloads.asked import AskedError
from gpuplane.workloads.workload import Workload, new_workload
from tests.gpuplane.workloads.conftest import ask, platform_named

KINDS = files("gpuplane.workloads.kinds")
P5 = """
[1,0]<stdout>:# Using devices
[1,0]<stdout>:#       size         count      type   redop    root     time   algbw   busbw #wrong
[1,0]<stdout>: 17179869184    4294967296     float     sum      -1    62239  276.03  483.05      0
[1,0]<stdout>:# Out of bounds values : 0 OK
[1,0]<stdout>:# Avg bus bandwidth    : 483.2
[1,0]<stdout>:#
"""
"""As micro-benchmarks/nccl-tests/aws-batch/README.md of
https://github.com/aws-samples/awsome-distributed-training (7217859f) has it, with one size."""
A3_HIGH = """
   536870912       8388608     float    none      -1   7098.6   75.63   70.90    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 30.9622
"""
"""examples/gke-a3-highgpu/multi-node-test-plan.md of
https://github.com/GoogleCloudPlatform/cluster-toolkit (1047080)."""
CHECKED = """
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 373.187 OK
#
# Collective test concluded: all_reduce_perf
"""
"""With a bound of nccl-tests' own (src/util.cu at a0b82b22)."""
NO_ROOT = "lets nothing run as root, as the server of SSH does"
LEVELS = "allowed: one with podSecurity baseline or privileged"
WRONG = P5.replace("0 OK", "12 FAILED")
STOPPED = "NCCL WARN Call to ibv_modify_qp failed\nmpirun noticed that process rank 3 exited\n"


def _judged(printed: str, expected: str) -> tuple[int, str]:
    judge = (KINDS / "bus_bandwidth.awk").read_text(encoding="utf-8")
    stated = ("-v", f"expected={expected}", "-v", "percent=90")
    done = subprocess.run(
        ["awk", *stated, judge], input=printed, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("printed", "expected", "verdict"),
    [
        (P5, "487", (0, "passed: 483.2 GB/s; expected are 487.0, and at least 438.3\n")),
        (P5, "600", (1, "failed: 483.2 GB/s; expected are 600.0, and at least 540.0\n")),
        (P5, "0", (0, "passed: 483.2 GB/s; what to expect is not known\n")),
        (A3_HIGH, "70", (1, "failed: 31.0 GB/s; expected are 70.0, and at least 63.0\n")),
        (CHECKED, "386", (0, "passed: 373.2 GB/s; expected are 386.0, and at least 347.4\n")),
        (WRONG, "487", (1, "failed: all_reduce_perf found wrong values\n")),
        (STOPPED, "487", (1, "failed: all_reduce_perf printed no bus bandwidth\n")),
        ("", "0", (1, "failed: all_reduce_perf printed no bus bandwidth\n")),
    ],
)
def test_a_run_fails_below_nine_tenths_of_what_is_expected(
    printed: str, expected: str, verdict: tuple[int, str]
) -> None:
    assert _judged(printed, expected) == verdict


def _made(cluster: str = "sample-training", **fields: Any) -> Workload:
    usual = {"kind": "nccl-test", "namespace": "pretraining", "image": None}
    return new_workload(ask(**usual | fields), platform_named(cluster))


def _job(workload: Workload) -> Document:
    (job,) = workload.documents[-1]["spec"]["replicatedJobs"]
    spec: Document = job["template"]["spec"]
    return spec


def _container(workload: Workload) -> Document:
    (container,) = _job(workload)["template"]["spec"]["containers"]
    found: Document = container
    return found


@pytest.mark.parametrize(
    ("cluster", "fields", "given"),
    [
        ("sample-training", {}, ("2", "8", "16G", "487")),
        ("sample-training", {"nodes": 4, "expected": 450.5}, ("4", "8", "16G", "450.5")),
        ("sample-gke-fabrics", {"namespace": "shared"}, ("2", "8", "8G", "0")),
        ("sample-gke-fabrics", {"namespace": "open", "pool": "a3-mega"}, ("2", "8", "16G", "340")),
    ],
)
def test_it_is_told_what_its_machines_reach(
    cluster: str, fields: dict[str, Any], given: tuple[str, ...]
) -> None:
    command = _container(_made(cluster, **fields))["command"]
    pods, gpus, host, _, message, expected, percent = command[4:11]
    assert (pods, gpus, message, expected) == given
    assert (host, percent) == ("demo-node-0-%d.demo", "90")


def test_the_first_pod_decides_and_the_test_ends_within_an_hour() -> None:
    job = _job(_made())
    assert job["successPolicy"] == {"rules": [{"succeededIndexes": "0"}]}
    assert (job["completions"], job["backoffLimit"], job["activeDeadlineSeconds"]) == (2, 0, 3600)


def test_it_has_the_devices_of_its_network_and_no_volume_claim() -> None:
    workload = _made()
    assert [document["kind"] for document in workload.documents] == ["JobSet"]
    assert _container(workload)["resources"]["limits"]["vpc.amazonaws.com/efa"] == "32"
    assert _container(workload)["securityContext"] == {
        "runAsUser": 0,
        "capabilities": {"add": ["IPC_LOCK"]},
    }


def test_an_unknown_machine_is_said() -> None:
    assert _made("sample-gke-fabrics", namespace="shared").notes[0] == (
        "what pool a3-ultra reaches over roce is not known: the test prints what it measures, and "
        "fails below --expected alone"
    )


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"namespace": "experiments"}, f"--namespace: experiments {NO_ROOT}; {LEVELS}"),
        ({"nodes": 1}, "--nodes: a nccl-test is between nodes; allowed: at least 2"),
        ({"expected": 0.0}, "--expected: 0 is out of bounds; allowed: above 0, in GB/s"),
        ({"data": "corpus"}, "--data: a nccl-test reads and keeps nothing; allowed: nothing"),
        ({"program": ("a.py",)}, "PROGRAM: a nccl-test runs none of its own; allowed: nothing"),
    ],
)
def test_what_it_cannot_be_asked_for(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(AskedError) as raised:
        _made(**fields)
    assert str(raised.value) == fault


def test_others_measure_nothing() -> None:
    with pytest.raises(AskedError) as raised:
        new_workload(replace(ask(), expected=300), platform_named("training"))
    assert str(raised.value) == "--expected: a job measures no bandwidth; allowed: nothing"


def test_the_script_is_one_of_bash() -> None:
    script = (KINDS / "nccl_test.sh").read_text(encoding="utf-8")
    subprocess.run(["bash", "-n"], input=script, check=True, text=True)
