"""The script that tests the GPUs of a node, with stand-ins for the programs of NVIDIA."""

import json
import os
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

BurnIn = Callable[..., str]

SCRIPT = (files("charts_py.components.gpu_burn_in") / "burn_in.sh").read_text("utf-8")


def entity(status: str, **more: Any) -> dict[str, Any]:
    return {"entity_group": "GPU", "entity_group_id": 1, "entity_id": 0, "status": status, **more}


def report(*results: dict[str, Any]) -> str:
    """Return what `dcgmi diag --json` prints, as JsonCpp styles it.

    https://github.com/NVIDIA/DCGM (dcgmi/Diag.cpp: `HelperJsonBuildOutput`, v4.6.0)
    """
    tests = [{"name": f"test-{i}", "results": [each]} for i, each in enumerate(results)]
    category = {"category": "Hardware", "tests": tests}
    document = {
        "DCGM Diagnostic": {"test_categories": [category]},
        "metadata": {"Driver Version Detected": "595.91.07", "version": "4.6.0"},
    }
    return styled(document)


def styled(document: dict[str, Any]) -> str:
    return json.dumps(document, indent="\t", separators=(",", " : "), sort_keys=True)


WARNING = {
    "error_category": 1,
    "error_id": 4,
    "error_severity": 2,
    "warning": 'Detected "double-bit" errors for GPU 0. Drain the GPU and reset it.',
}
FAILED = report(entity("Pass"), entity("Fail", warnings=[WARNING]))
NOT_RUN = styled({"DCGM Diagnostic": {"runtime_error": "Error: 7 of 8", "version": "4.6.0"}})


@pytest.fixture
def burn_in(tmp_path: Path) -> BurnIn:
    """Return the function that runs the script on a node and returns the verdict.

    `code` and `printed` are those of dcgmi, `programs` what each look at the GPUs finds.
    """
    programs = tmp_path / "bin"
    programs.mkdir()
    (tmp_path / "validations").mkdir()
    (tmp_path / "validations/cuda-ready").touch()
    (tmp_path / "burn-in").mkdir()

    def stand_in(name: str, script: str) -> None:
        file = programs / name
        file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        file.chmod(0o755)

    def run(code: int = 0, printed: str = "", programs_seen: str = "true") -> str:
        (tmp_path / "printed").write_text(printed, encoding="utf-8")
        stand_in("sleep", "exit 0")
        stand_in("nv-hostengine", "exit 0")
        stand_in("nvidia-smi", f"echo look >>{tmp_path}/looks; {programs_seen}")
        stand_in(
            "dcgmi",
            f'[ "$1" = diag ] || exit 0\necho "$*" >>{tmp_path}/asked\n'
            f"cat {tmp_path}/printed\nexit {code}",
        )
        script = SCRIPT.replace("=/burn-in", f"={tmp_path}/burn-in")
        script = script.replace("/validations/", f"{tmp_path}/validations/")
        environment = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        command = ["/bin/sh", "-c", script, "burn-in", "2", "30", "8"]
        subprocess.run(command, check=True, capture_output=True, env=environment, timeout=30)
        return (tmp_path / "burn-in/verdict").read_text().strip()

    return run


@pytest.mark.parametrize(
    ("code", "printed", "verdict"),
    [
        (
            0,
            report(entity("Pass"), entity("Pass"), entity("Skip")),
            "passed: 2 results of level 2, 1 tests skipped",
        ),
        # What dcgmi returns is a negative number: DCGM_ST_NVVS_ERROR is -30.
        (256 - 30, FAILED, f"failed: {WARNING['warning']}".replace('"', '\\"')),
        (256 - 52, NOT_RUN, "failed: Error: 7 of 8"),
        (0, FAILED, f"failed: {WARNING['warning']}".replace('"', '\\"')),
        (0, report(entity("Pass"), entity("Fail")), "failed: a test that dcgmi does not count"),
        (255, "", "failed: dcgmi ended with 255"),
        (0, report(entity("Skip")), "failed: dcgmi ran no test"),
        (0, "", "failed: dcgmi ran no test"),
        (124, "", "failed: no result within 30 minutes"),
        (137, "", "failed: no result within 30 minutes"),
    ],
)
def test_the_verdict_is_that_of_dcgmi(
    burn_in: BurnIn, code: int, printed: str, verdict: str
) -> None:
    assert burn_in(code, printed) == verdict


def test_every_gpu_is_asked_for_and_a_driver_that_does_not_persist_is_no_fault(
    burn_in: BurnIn, tmp_path: Path
) -> None:
    burn_in(0, report(entity("Pass")))
    assert (tmp_path / "asked").read_text().strip() == (
        "diag --run 2 --json --expectedNumEntities gpu:8"
        " --parameters software.require_persistence_mode=False"
    )


def test_a_node_at_work_is_not_tested(burn_in: BurnIn, tmp_path: Path) -> None:
    verdict = burn_in(1, "", "echo 4711")
    assert verdict == "passed: not tested, since programs used the GPUs already"
    assert not (tmp_path / "asked").exists()
    assert (tmp_path / "looks").read_text() == "look\n" * 3


@pytest.mark.parametrize(
    "look",
    [
        "echo No devices were found; exit 6",
        "echo Unable to determine the device handle for GPU0000:18:00.0: Unknown Error",
        "echo '[N/A]'",
    ],
)
def test_gpus_that_nobody_can_look_at_are_tested(burn_in: BurnIn, look: str) -> None:
    assert burn_in(226, FAILED, look).startswith("failed: ")


def test_a_verdict_stands_until_somebody_removes_it(burn_in: BurnIn, tmp_path: Path) -> None:
    assert burn_in(226, FAILED).startswith("failed: ")
    assert burn_in(0, report(entity("Pass"))).startswith("failed: ")
    (tmp_path / "burn-in/verdict").unlink()
    assert burn_in(0, report(entity("Pass"))).startswith("passed: ")


def test_a_test_whose_verdict_cannot_be_kept_is_tried_again(
    burn_in: BurnIn, tmp_path: Path
) -> None:
    # The kubelet starts an init container again that fails.
    (tmp_path / "burn-in").rmdir()
    with pytest.raises(subprocess.CalledProcessError):
        burn_in(0, report(entity("Pass")))
    (tmp_path / "burn-in").mkdir()
    assert burn_in(0, report(entity("Pass"))).startswith("passed: ")


def test_kubernetes_leaves_the_script_as_it_is() -> None:
    # In a container's command `$$` becomes `$`, and `$(NAME)` the variable of the container.
    assert "$$" not in SCRIPT
    assert "$(NVIDIA_VISIBLE_DEVICES)" not in SCRIPT
