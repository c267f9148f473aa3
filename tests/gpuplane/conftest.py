"""Running the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from typer.testing import CliRunner, Result

from gpuplane.application import create_application

Run: TypeAlias = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Return the function that runs `gpuplane` with these arguments."""

    def invoke(*arguments: object) -> Result:
        return CliRunner().invoke(create_application(), [str(one) for one in arguments])

    return invoke


@pytest.fixture
def in_repository(tmp_path: Path, run: Run) -> Run:
    """Return the function that runs `gpuplane` in a repository of its own, the test's folder."""
    return lambda *arguments: run("--directory", tmp_path, *arguments)
