"""Running the command line."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from gpuplane.application import create_application
from tests.conftest import CLUSTERS

SAMPLES = Path(__file__).parents[1] / "charts_py" / "samples"


@dataclass(frozen=True, slots=True)
class Run:
    """Runs `gpuplane` with these arguments before those that it is called with."""

    first: tuple[object, ...] = ()

    def __call__(self, *arguments: object, answers: str | None = None) -> Result:
        named = [str(one) for one in (*self.first, *arguments)]
        return CliRunner().invoke(create_application(), named, input=answers)

    def printed(self, *arguments: object) -> str:
        """Return what a run prints that finds nothing wrong and says nothing on stderr."""
        result = self(*arguments)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    def report(self, *arguments: object) -> dict[str, Any]:
        """Return the report of such a run."""
        report: dict[str, Any] = json.loads(self.printed(*arguments, "-o", "json"))
        return report

    def refused(self, *arguments: object, code: int = 2) -> str:
        """Return what a run says on stderr that prints nothing and ends with this code."""
        result = self(*arguments)
        assert (result.exit_code, result.stdout) == (code, "")
        return result.stderr

    def misused(self, *arguments: object) -> str:
        """Return what a run says of wrong arguments, on one line and without the box around it."""
        return " ".join(self.refused(*arguments).replace("│", " ").split())


@pytest.fixture
def run() -> Run:
    """Return the function that runs `gpuplane` with these arguments."""
    return Run()


@pytest.fixture
def in_repository(tmp_path: Path) -> Run:
    """Return the function that runs `gpuplane` in a repository of its own, the test's folder."""
    return Run(("--directory", tmp_path))


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """Return that folder, with the example clusters."""
    shutil.copytree(CLUSTERS, tmp_path / "clusters")
    return tmp_path


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Return that folder, with a cluster called lab that has queues."""
    (tmp_path / "clusters").mkdir()
    shutil.copy(SAMPLES / "queues.yaml", tmp_path / "clusters" / "lab.yaml")
    return tmp_path
