"""The script that asks for the verdict of the burn-in."""

import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

SCRIPT = (files("charts_py.components.node_problem_detector") / "check_burn_in.sh").read_text(
    "utf-8"
)
NOT_YET = (1, "the burn-in has not ended yet")


@pytest.mark.parametrize(
    ("verdict", "not_passed", "failed"),
    [
        (None, NOT_YET, (0, "")),
        ("", NOT_YET, (0, "")),
        ("passed: 9 results of level 2, 0 tests skipped\n", (0, ""), (0, "")),
        ("passed by hand\n", (0, ""), (0, "")),
        ("passed", (0, ""), (0, "")),
        ("passed-not\n", (1, "passed-not"), (0, "")),
        ("failed: no result within 30 minutes\n", (1, "failed: no result within 30 minutes"), None),
        # What nobody here has written lets no node in.
        ("ok\n", (1, "ok"), (0, "")),
    ],
)
def test_a_node_is_let_in_only_by_the_verdict_that_it_has_passed(
    tmp_path: Path, verdict: str | None, not_passed: tuple[int, str], failed: tuple[int, str] | None
) -> None:
    file = tmp_path / "verdict"
    if verdict is not None:
        file.write_text(verdict, encoding="utf-8")
    assert SCRIPT.count("/burn-in/verdict") == 1
    script = SCRIPT.replace("/burn-in/verdict", str(file))

    def answer(argument: str) -> tuple[int, str]:
        command = ["sh", "-c", script, "check_burn_in.sh", argument]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        return done.returncode, done.stdout.strip()

    assert answer("passed") == not_passed
    assert answer("not-failed") == (failed or not_passed)


def test_an_unknown_question_has_no_answer() -> None:
    done = subprocess.run(["sh", "-c", SCRIPT, "check_burn_in.sh"], check=False)
    assert done.returncode == 2
