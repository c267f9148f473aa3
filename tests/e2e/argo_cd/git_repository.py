"""A git repository on this machine that others read by its URL."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

BRANCH = "main"

_ENVIRONMENT = {
    # What the people of this machine set for themselves is not for here.
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "gpuplane",
    "GIT_AUTHOR_EMAIL": "gpuplane@example.com",
    "GIT_COMMITTER_NAME": "gpuplane",
    "GIT_COMMITTER_EMAIL": "gpuplane@example.com",
}


@dataclass(frozen=True, slots=True)
class GitRepository:
    """A checkout, whose files are written by hand and committed as they stand."""

    folder: Path

    @property
    def url(self) -> str:
        return self.folder.as_uri()

    def commit(self, message: str) -> str:
        """Commit all files as they stand; return the commit."""
        _git(self.folder, "add", "--all")
        _git(self.folder, "commit", "--quiet", "--allow-empty", f"--message={message}")
        return _git(self.folder, "rev-parse", "HEAD").strip()


def new_git_repository(folder: Path) -> GitRepository:
    """Make a folder a repository without a commit."""
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, "init", "--quiet", f"--initial-branch={BRANCH}")
    return GitRepository(folder)


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", folder, *arguments],
        env={**os.environ, **_ENVIRONMENT},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
