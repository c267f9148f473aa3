"""Running the command line."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from gpuplane.application import create_application
from tests.conftest import CLUSTERS

SAMPLES = Path(__file__).parents[1] / "charts_py" / "samples"


def fields(text: str) -> Any:
    """Return the mapping that YAML states, whose braces are left out here."""
    return yaml.safe_load(f"{{{text}}}")


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

    def ended(self, *arguments: object) -> tuple[int, str, str]:
        """Return how a run ends: its exit code, and what it prints on stdout and stderr."""
        result = self(*arguments)
        return result.exit_code, result.stdout, result.stderr

    def report(self, *arguments: object, code: int = 0) -> dict[str, Any]:
        """Return the report of a run with this exit code, without its `apiVersion`."""
        result = self(*arguments, "-o", "json")
        assert (result.exit_code, result.stderr) == (code, "")
        report: dict[str, Any] = json.loads(result.stdout)
        assert next(iter(report)) == "apiVersion"
        assert report.pop("apiVersion") == "gpuplane.io/v1alpha1"
        return report

    def refused(self, *arguments: object, code: int = 2) -> str:
        """Return what a run says on stderr that prints nothing and ends with this code."""
        result = self(*arguments)
        assert (result.exit_code, result.stdout) == (code, "")
        return result.stderr

    def misused(self, *arguments: object) -> str:
        """Return what a run says of wrong arguments, on one line."""
        return " ".join(self.refused(*arguments).split())


@pytest.fixture(scope="session", autouse=True)
def _versions_rendered_once(versions_rendered_once: None) -> None:
    pass


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
