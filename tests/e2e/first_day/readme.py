"""README.md as somebody plays it who has a wheel, uv and git: to a repository that is committed.

Commands are read from the page, and from what they print, so that none can differ here.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.console import blocks, steps
from tests.e2e.first_day.first_day import LOCK, NewRepository, without_sources
from tests.e2e.folders import REPOSITORY

_README = REPOSITORY / "README.md"
_WRITTEN = "../platform"
"""The repository that the page has `gpuplane init` write; its other commands need a clone."""
_PLACEHOLDER = re.compile(
    r"^warning: (?P<file>\S+):(?P<line>\d+): \S+: (?P<value>\S+) is a placeholder; "
    r"allowed: .*, such as (?P<example>.+)$",
    re.MULTILINE,
)
_FLEET = Path("clusters") / "fleet.yaml"
_IMAGE = "registry.example.com/gpuplane-webhook:0.1.0"
"""What `make image push-image` would print, had it a registry."""


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell in a folder, and what its PATH begins with."""

    folder: Path
    programs: Path

    def does(self, command: str) -> str:
        """Run a command, which must not fail; return what a person would see."""
        done = self._finish(command)
        assert done.returncode == 0, f"{command}: {done.stdout}"
        return done.stdout

    def prints(self, command: str) -> str:
        """Run a command; return what a person would see, of a failure too."""
        return self._finish(command).stdout.strip()

    def _finish(self, command: str) -> subprocess.CompletedProcess[str]:
        installing = {
            "UV_TOOL_DIR": f"{self.programs}-of-tools",
            "UV_TOOL_BIN_DIR": str(self.programs),
            "UV_PYTHON": sys.executable,
            # A later release of a dependency is not for a test to meet first.
            "UV_CONSTRAINT": str(LOCK),
        }
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={**without_sources(), **installing, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )


def play_readme(wheel: Path, folder: Path) -> tuple[Path, Path]:
    """Play the page in an empty folder; return the repository, and the gpuplane that wrote it."""
    shell = Shell(folder / "empty", folder / "programs")
    for made in (shell.folder, shell.programs):
        made.mkdir()
    (shell.programs / "uv").symlink_to(Path(sys.executable).with_name("uv"))
    (shell.folder / wheel.name).symlink_to(wheel)
    shell.does(next(blocks(_README, "sh")))
    played = [step for step in steps(_README) if _WRITTEN in step.command]
    assert [shell.prints(step.command) for step in played] == [step.printed for step in played]
    _follow(shell, played[0].printed)
    return folder / Path(_WRITTEN).name, shell.programs / "gpuplane"


def _follow(shell: Shell, told: str) -> None:
    """Do what `gpuplane init` says comes next, up to the commit."""
    (start_history,) = re.findall(r"^1\. (.+)$", told, re.MULTILINE)
    shell.does(start_history)
    repository = NewRepository((shell.folder / _WRITTEN).resolve())
    synth = f"gpuplane -C {_WRITTEN} synth"
    found = [*_PLACEHOLDER.finditer(shell.does(synth))]
    for each in found:
        _fill(shell.folder / each["file"], int(each["line"]), each["value"], each["example"])
    repository.replace("^# webhook: .*", f"webhook: {{image: {_IMAGE}}}", _FLEET)
    assert "placeholder" not in shell.does(synth)
    repository.commit("Describe the cluster")


def _fill(file: Path, line: int, placeholder: str, example: str) -> None:
    """Write what a message proposes in the place of a placeholder, as in an editor."""
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = re.sub(f'"?{re.escape(placeholder)}"?', example, lines[line - 1])
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
