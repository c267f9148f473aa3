"""gpuplane as somebody has it who was given a wheel, and the repositories that it writes."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

from tests.e2e.folders import REPOSITORY

_LOCK = REPOSITORY / "gpuplane" / "new_repository" / "locks" / "platform.txt"
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
        env=_without_sources() | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def _without_sources() -> dict[str, str]:
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
    run(*pip, "--require-hashes", "--requirement", _LOCK, folder=folder)
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
