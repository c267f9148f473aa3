"""`gpuplane version`."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result


def test_the_version_is_that_of_the_project(run: Callable[..., Result]) -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    assert run("version").stdout == f"{project['project']['version']}\n"
