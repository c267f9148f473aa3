"""The folders that a command works on."""

from pathlib import Path

from gpuplane.platform_repository import PlatformRepository


def test_paths_in_the_working_directory_are_shown_short() -> None:
    repository = PlatformRepository(Path())
    assert (str(repository.clusters), str(repository.dist)) == ("clusters", "dist")
