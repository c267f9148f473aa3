"""The program helm, run with nothing of the machine's around it."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from upstream.error import UpstreamError

MAJOR = 4
"""Major version of Helm. Another may render the same chart differently."""

INSTALLING = "https://helm.sh/docs/intro/install/"

_TIMEOUT_SECONDS = 120

_ERROR = re.compile(r"^Error: ", re.MULTILINE)
"""Begins what Helm says last; before it stands what it logs."""


class HelmError(Exception):
    """Why a chart cannot be rendered."""


@dataclass(frozen=True, slots=True)
class Helm:
    """A Helm of the right major version."""

    program: Path

    def template(self, arguments: Sequence[str | Path]) -> str:
        """Return what `helm template` prints; raise HelmError with what it says instead."""
        done = _run(self.program, ["template", *arguments])
        if done.returncode:
            raise HelmError(_ERROR.split(done.stderr)[-1].strip())
        return done.stdout


def find_helm() -> Helm:
    """Return the Helm on PATH; raise UpstreamError where there is none, or another version."""
    wanted = f"gitops.charts: rendered needs Helm {MAJOR} on PATH: {INSTALLING}"
    found = shutil.which("helm")
    if found is None:
        raise UpstreamError(f"helm is not on PATH; {wanted}")
    program = Path(found).absolute()
    told = _run(program, ["version", "--template", "{{.Version}}"]).stdout.strip()
    version = re.fullmatch(r"v(\d+)\.\S+", told)
    if version is None or int(version[1]) != MAJOR:
        raise UpstreamError(f"{program} is Helm {told or 'of no version'}; {wanted}")
    return Helm(program)


def _run(program: Path, arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run it with a home of its own: no plugin, repository or cluster of the user's is known."""
    with tempfile.TemporaryDirectory(prefix="gpuplane-helm-") as home:
        try:
            return subprocess.run(  # noqa: S603 # no shell; the program that PATH names
                [program, *arguments],
                env={"HOME": home, "PATH": os.environ.get("PATH", "")},
                cwd=home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UpstreamError(f"{program} cannot be run: {error}") from error
