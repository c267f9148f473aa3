import platform
import tomllib
from pathlib import Path

from tests.gpuplane.conftest import Run

PYPROJECT = (Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8")
VERSION = tomllib.loads(PYPROJECT)["project"]["version"]


def test_the_version_is_that_of_the_project(run: Run) -> None:
    assert run("version").stdout == f"{VERSION}\n"


def test_the_report_has_what_gpuplane_runs_on(run: Run) -> None:
    running = {"python": platform.python_version(), "platform": platform.platform()}
    assert run.report("version") == {"kind": "Version", "gpuplane": VERSION, **running}


def test_the_option_prints_it_with_the_name(run: Run) -> None:
    assert run.printed("--version") == f"gpuplane {VERSION}\n"
