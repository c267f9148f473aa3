"""Doing the same to many things."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpuplane.lint.processes import MIN_PER_PROCESS, spread

ROOT = Path(__file__).parents[3]
PROGRAM = """
import os, signal, sys, time
from gpuplane.lint.processes import spread

# What a shell starts in the background ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)
parent, begun = os.getpid(), sys.argv[1]

def work(share):
    # None takes more than one share before all have one.
    open(os.path.join(begun, str(os.getpid())), "w").close()
    while len(os.listdir(begun)) < 3 and time.monotonic() < end:
        time.sleep(0.001)
    if {failing}:
        {body}
    return [(number, os.getpid(), "-" * 1000) for number in share]

end = time.monotonic() + 60
os.sched_getaffinity = lambda _: {{0, 1, 2}}
done = spread(work, range({things}))
assert [number for number, *_ in done] == [*range({things})], done
print(len({{process for _, process, _ in done}}))
"""


def _run(folder: Path, **program: str | int) -> subprocess.CompletedProcess[str]:
    """Run in a process of its own: forking one with threads is a fault."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(**program), folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )


def test_few_things_are_done_here() -> None:
    things = range(MIN_PER_PROCESS)
    assert spread(lambda share: [os.getpid() for _ in share], things) == [os.getpid()] * len(things)


def test_nothing_is_done_to_nothing() -> None:
    assert spread(lambda share: [*share], []) == []


@pytest.mark.skipif(sys.platform != "linux", reason="one process does it all elsewhere")
@pytest.mark.parametrize("things", [90, 256, 257, 1001])
def test_many_things_are_done_by_several_processes_in_their_order(
    things: int, tmp_path: Path
) -> None:
    done = _run(tmp_path, things=things, failing=False, body="pass")
    assert (done.stdout, done.stderr) == ("3\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="one process does it all elsewhere")
@pytest.mark.parametrize(
    ("failing", "body", "last_line"),
    [
        ("os.getpid() == parent", "raise ValueError('here')", "ValueError: here"),
        ("os.getpid() != parent", "raise ValueError('there')", "ValueError: there"),
        (
            "os.getpid() != parent",
            "os._exit(9)",
            "OSError: a process of the linter was stopped: memory may have run out",
        ),
    ],
    ids=["raised here", "raised there", "stopped"],
)
def test_what_stops_one_process_is_raised(
    failing: str, body: str, last_line: str, tmp_path: Path
) -> None:
    done = _run(tmp_path, things=1001, failing=failing, body=body)
    assert done.stderr.splitlines()[-1] == last_line


@pytest.mark.skipif(sys.platform != "linux", reason="one process does it all elsewhere")
def test_an_interrupt_of_all_processes_is_reported_by_one(tmp_path: Path) -> None:
    done = _run(tmp_path, things=1001, failing="os.getpid() == parent", body="os.killpg(0, 2)")
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
    assert done.stderr.count("Traceback") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="one process does it all elsewhere")
def test_no_process_outlives_one_that_is_killed(tmp_path: Path) -> None:
    # Waits for all that have its stdout.
    done = _run(tmp_path, things=1001, failing="os.getpid() == parent", body="os.kill(parent, 9)")
    assert done.returncode == -9
