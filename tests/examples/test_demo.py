import subprocess
import sys
from pathlib import Path

import pytest

from examples.demo import EXAMPLES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == ""
    return done.stdout


def test_every_example_is_shown() -> None:
    files = {file.stem for file in (ROOT / "examples").glob("*.yaml")}
    assert files == set(EXAMPLES)


def test_every_pod_is_decided_and_the_end_comes_by_itself(shown: str) -> None:
    decisions = [line.split(":")[0] for line in shown.splitlines() if not line.startswith(" ")]
    assert [word for word in decisions if word in ("admitted", "denied")] == [
        "admitted",
        "admitted",
        "admitted",
        "admitted",
        "denied",
        "admitted",
        "denied",
    ]


def test_a_fix_is_shown_as_a_difference_with_its_reason(shown: str) -> None:
    assert "\n  +      sizeLimit: 64Gi\n" in shown
    assert (
        "\ntolerations: fixed: The pod does not tolerate the taint "
        "nvidia.com/gpu=present:NoSchedule of nodes that offer nvidia.com/gpu.\n"
    ) in shown
