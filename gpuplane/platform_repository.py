"""The folders of the platform repository that a command works on."""

from dataclasses import dataclass
from pathlib import Path

import typer


@dataclass(frozen=True, slots=True)
class PlatformRepository:
    """A folder with cluster files and what they render."""

    directory: Path

    @property
    def clusters(self) -> Path:
        """What people edit."""
        return self.directory / "clusters"

    @property
    def dist(self) -> Path:
        """What is rendered."""
        return self.directory / "dist"


def repository_of(context: typer.Context) -> PlatformRepository:
    """Return the repository that the global option names."""
    repository = context.obj
    assert isinstance(repository, PlatformRepository)  # noqa: S101 # the application's callback sets it
    return repository
