"""One wheel, and one environment of each kind, for all tests of the folder."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from gpus.provider import Provider
from tests.e2e.first_day.first_day import NewRepository, build, install, run


@pytest.fixture(scope="package")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="package")
def gpuplane(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command line in an environment that was made of the wheel alone."""
    return install(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="package")
def repositories(
    gpuplane: Path, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[Provider, NewRepository]:
    """A new repository for each provider, which is rendered."""
    folder = tmp_path_factory.mktemp("repositories")
    made = {each: NewRepository(folder / each.value) for each in Provider}
    for provider, repository in made.items():
        run(gpuplane, "init", repository.folder, "--provider", provider.value, folder=folder)
    first, *others = made.values()
    first.run("make", "synth")
    for repository in others:
        # What is installed is the same for all.
        (repository.folder / ".venv").symlink_to(first.folder / ".venv")
        repository.run("make", "synth")
    return made
