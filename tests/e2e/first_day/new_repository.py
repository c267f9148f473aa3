"""A repository that `gpuplane init` wrote, as the people work in it who were given it."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.first_day.first_day import GIT, run

_CLUSTER = Path("clusters") / "example.yaml"


@dataclass(frozen=True, slots=True)
class NewRepository:
    """Its checkout, whose cluster file is edited as text."""

    folder: Path

    def copied_to(self, folder: Path) -> NewRepository:
        """Return a copy, which runs what this one has installed."""
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns(".venv"))
        (folder / ".venv").symlink_to(self.folder / ".venv")
        return NewRepository(folder)

    def run(self, *command: str) -> str:
        """Run a command there; return what it prints on stdout. Raises AssertionError."""
        return run(*command, folder=self.folder)

    def gpuplane(self, *arguments: str) -> str:
        """Run the gpuplane that the repository has installed."""
        return self.run(".venv/bin/gpuplane", *arguments)

    def start_history(self) -> None:
        """Commit it as it stands, as the first commit of its main branch."""
        self.run("git", "init", "--quiet", "--initial-branch", "main")
        # A link here, which the pattern `.venv/` does not match.
        (self.folder / ".git" / "info" / "exclude").write_text(".venv\n", encoding="utf-8")
        self.commit("Start")

    def commit(self, message: str) -> None:
        """Commit everything to the main branch."""
        self.run("git", "add", "--all")
        self.run(*GIT, "commit", "--quiet", "--message", message)

    def changed(self) -> list[str]:
        """Return what differs from the last commit, as `git status --short` has it."""
        return self.run("git", "status", "--short").splitlines()

    def replace(self, pattern: str, replacement: str, file: Path = _CLUSTER) -> None:
        """Replace the one place of a file that a pattern matches, as in an editor."""
        text = (self.folder / file).read_text(encoding="utf-8")
        edited, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
        assert count == 1, f"{file}: {count} places match {pattern}"
        (self.folder / file).write_text(edited, encoding="utf-8")

    def set_versions(self, version: str, live: str) -> None:
        """State what is rendered and what Argo CD syncs."""
        self.replace("^version: [^ \n]+", f"version: {version}")
        self.replace("^(# )?live: [^ \n]+", f"live: {live}")
