"""A test of the network: what it runs, and how it judges what nccl-tests print."""

import subprocess
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
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
        (
            {"expected": 0.0},
            "--expected: 0 is out of bounds; allowed: above 0, at most 10000, in GB/s",
        ),
        ({"data": "corpus"}, "leave out --data: kind nccl-test reads and keeps nothing"),
        ({"program": ("a.py",)}, "leave out PROGRAM: kind nccl-test runs one of its own"),
    ],
)
def test_what_it_cannot_be_asked_for(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(AskedError) as raised:
        _made(**fields)
    assert str(raised.value) == fault


def test_others_measure_nothing() -> None:
    with pytest.raises(AskedError) as raised:
        new_workload(replace(ask(), expected=300), platform_named("training"))
    assert str(raised.value) == "leave out --expected: only an nccl-test measures bandwidth"


FAKES = {
    "ssh-keygen": 'while [ "$1" != -f ]; do shift; done; touch "$2" "$2.pub"',
    "perl": "",
    "sshd": "",
    "ssh": 'echo "$5" >>"$SSH_FOLDER/reached"',
    "getent": 'case $2 in demo-node-0-0.demo) echo "10.0.0.1 STREAM" ;; *) echo "10.0.0.2" ;; esac',
    "mpirun": 'echo "$*" >"$SSH_FOLDER/started"; printf "%s" "$PRINTED"',
}


def _run(folder: Path, printed: str, expected: str) -> tuple[int, str]:
    """Run the script of the first of two pods, whose programs only say that they were called."""
    programs = folder / "bin"
    programs.mkdir()
    for name, does in FAKES.items():
        (programs / name).write_text(f"#!/bin/bash\n{does}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    command = _container(_made())["command"]
    given = [*command[:9], expected, *command[10:]]
    own = {"JOB_COMPLETION_INDEX": "0", "PRINTED": printed, "NCCL_NET": "gIB", "HOME": str(folder)}
    places = {"SSH_FOLDER": str(folder / "ssh"), "TERMINATION_LOG": str(folder / "log")}
    image = {"OMPI_MCA_btl_tcp_if_exclude": "lo", "OPAL_PREFIX": "/opt/openmpi"}
    done = subprocess.run(
        given,
        env={"PATH": f"{programs}:/usr/bin:/bin", **own, **places, **image},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, (folder / "log").read_text(encoding="utf-8")


def test_the_first_pod_starts_mpirun_on_all_pods_that_it_reaches(tmp_path: Path) -> None:
    passed = (0, "passed: 483.2 GB/s; expected are 487.0, and at least 438.3\n")
    assert _run(tmp_path, P5, "487") == passed
    found = {
        name: (tmp_path / "ssh" / name).read_text() for name in ("hosts", "reached", "started")
    }
    assert found["hosts"] == "10.0.0.1 slots=8\n10.0.0.2 slots=8\n"
    assert found["reached"] == "demo-node-0-0.demo\ndemo-node-0-1.demo\n"
    program = "/opt/nccl-tests/build/all_reduce_perf -b 16G -e 16G -g 1 -w 5 -n 20\n"
    assert found["started"].endswith(program)
    assert "-np 16 " in found["started"]


def test_its_environment_is_that_of_sessions_but_for_what_open_mpi_refuses(tmp_path: Path) -> None:
    _run(tmp_path, P5, "487")
    kept = (tmp_path / "ssh" / "environment").read_text(encoding="utf-8").splitlines()
    names = {line.partition("=")[0] for line in kept}
    assert names == {"PATH", "NCCL_NET", "OPAL_PREFIX"}


def test_a_run_that_fails_fails_the_pod_and_says_why(tmp_path: Path) -> None:
    assert _run(tmp_path, STOPPED, "487") == (
        1,
        "failed: all_reduce_perf printed no bus bandwidth\n",
    )
