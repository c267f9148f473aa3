import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.binaries.control_plane import ControlPlaneBinaries
from tests.e2e.folders import REPOSITORY
from tests.e2e.processes.component import ComponentError, component

HOLD = """
import sys
from pathlib import Path
from tests.binaries.control_plane import build_control_plane
from tests.e2e.control_plane.control_plane import running_control_plane
folder = Path(sys.argv[1])
with running_control_plane(build_control_plane(), folder, folder):
    print("running", flush=True)
    sys.stdin.read()
"""
PATIENCE_SECONDS = 30


@pytest.mark.parametrize("end", ["killed", "let end"])
def test_nothing_outlives_what_started_it(
    end: str, control_plane_binaries: ControlPlaneBinaries, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"running\n"
        started = psutil.Process(holder.pid).children(recursive=True)
        if end == "killed":
            holder.kill()
        holder.communicate(timeout=PATIENCE_SECONDS)
    _, alive = psutil.wait_procs(started, timeout=PATIENCE_SECONDS)
    assert (len(started), alive) == (len(control_plane_binaries.__slots__), [])


def test_a_component_that_ends_too_early_is_quoted(tmp_path: Path) -> None:
    with (
        pytest.raises(ComponentError) as error,
        component("broken", ["sh", "-c", "echo no such flag; exit 3"], tmp_path) as broken,
    ):
        broken.wait_until("ready", lambda: False)
    log = tmp_path / "broken.log"
    assert str(error.value) == f"broken ended with exit code 3; the end of {log}:\nno such flag"


def test_a_component_that_ended_meanwhile_is_told_of_in_the_end(tmp_path: Path) -> None:
    with (
        pytest.raises(ComponentError, match="brief ended with exit code 0"),
        component("brief", ["true"], tmp_path) as brief,
    ):
        brief.process.wait(PATIENCE_SECONDS)


def test_a_component_that_does_not_want_to_end_is_killed_with_its_children(tmp_path: Path) -> None:
    stubborn = "trap '' TERM; sleep 600 & echo ready; while true; do sleep 600; done"
    with component("stubborn", ["sh", "-c", stubborn], tmp_path) as running:
        running.wait_until("ready", lambda: running.log.read_text() == "ready\n")
        group = psutil.Process(running.process.pid).children(recursive=True)
    assert psutil.wait_procs(group, timeout=PATIENCE_SECONDS)[1] == []
