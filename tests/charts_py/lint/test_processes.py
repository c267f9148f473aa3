"""Doing the same to many things."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from charts_py.lint.processes import MIN_PER_PROCESS, spread

ROOT = Path(__file__).parents[3]
PROGRAM = """
import os
from charts_py.lint.processes import spread

def work(share):
    {body}
    return [(number, os.getpid()) for number in share]

os.sched_getaffinity = lambda _: {{0, 1, 2}}
done = spread(work, range(1001))
assert [number for number, _ in done] == [*range(1001)], done
print(len({{process for _, process in done}}))
"""


def _run(body: str) -> subprocess.CompletedProcess[str]:
    """Run in a process of its own: forking one with threads is a fault."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_few_things_are_done_here() -> None:
    things = range(MIN_PER_PROCESS)
    assert spread(lambda share: [os.getpid() for _ in share], things) == [os.getpid()] * len(things)


def test_nothing_is_done_to_nothing() -> None:
    assert spread(lambda share: [*share], []) == []


@pytest.mark.skipif(sys.platform != "linux", reason="one process does it all elsewhere")
@pytest.mark.parametrize(
    ("body", "last_line"),
    [
        ("pass", "3"),
        ("if 1 in share: raise ValueError('one')", "ValueError: one"),
        (
            "if 1 in share: os._exit(9)",
            "OSError: a process of the linter was stopped: memory may have run out",
        ),
    ],
    ids=["done", "raised", "stopped"],
)
def test_many_things_are_done_by_several_processes_in_their_order(
    body: str, last_line: str
) -> None:
    done = _run(body)
    assert (done.stdout + done.stderr).splitlines()[-1] == last_line
