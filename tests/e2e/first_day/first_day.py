"""gpuplane as somebody has it who was given a wheel, and the repositories that it writes."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from tests.e2e.folders import REPOSITORY

_CLUSTER = Path("clusters") / "example.yaml"
LOCK = REPOSITORY / "gpuplane" / "new_repository" / "locks" / "platform.txt"
GIT = ("git", "-c", "user.name=test", "-c", "user.email=test@example.com")
ADDRESS = "https://git.example.com/gpuplane.git"
"""An address at which git finds a repository of this machine."""
_WITHOUT_BYTECODE = {"PIP_NO_COMPILE": "0"}
"""Has pip leave it to Python to compile what that imports; false, as the option is switched off.
https://pip.pypa.io/en/stable/topics/configuration/#boolean-options
"""


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run a command without the sources of this repository; return what it prints on stdout."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=without_sources() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def without_sources() -> dict[str, str]:
    ours = ("PYTHON", "VIRTUAL_ENV", "MAKE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return kept | {"PYTHON": sys.executable, **_WITHOUT_BYTECODE}


def build(target: str, folder: Path) -> Path:
    """Build the wheel, or the sdist, of this repository."""
    builder = (sys.executable, "-m", "hatchling", "build", "--target", target)
    run(*builder, "--directory", folder, folder=REPOSITORY)
    (built,) = (each for each in folder.iterdir() if each.name.startswith("gpuplane-"))
    return built


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into an environment that has nothing else; return its gpuplane."""
    run(sys.executable, "-m", "venv", folder / "venv", folder=folder)
    pip = (folder / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet")
    run(*pip, "--require-hashes", "--requirement", LOCK, folder=folder)
    run(*pip, "--no-deps", wheel, folder=folder)
    return folder / "venv" / "bin" / "gpuplane"


def commit(sdist: Path, folder: Path) -> str:
    """Make a git repository of what an sdist holds, at `folder`; return its one commit."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    for command in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "-m", "All")):
        run(*GIT, *command, folder=unpacked)
    return run("git", "rev-parse", "HEAD", folder=unpacked).strip()


def reached_at(repository: Path) -> dict[str, str]:
    """Return the environment in which git finds a folder at `ADDRESS`."""
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{repository.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": ADDRESS,
    }


@dataclass(frozen=True, slots=True)
class NewRepository:
    """A repository that `gpuplane init` wrote, whose cluster file is edited as text."""

    folder: Path

    def copied_to(self, folder: Path) -> Self:
        """Return a copy, which runs what this one has installed."""
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns(".venv"))
        (folder / ".venv").symlink_to(self.folder / ".venv")
        return replace(self, folder=folder)

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
