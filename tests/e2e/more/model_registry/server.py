"""MLflow as the platform starts it, but for its database, its place of files and its address."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import urllib3

from charts_py.components.mlflow.definition import MLFLOW_DEFINITION
from charts_py.components.mlflow.server import SERVER_IMAGE
from charts_py.platform.platform import Platform
from tests.e2e.processes.component import ComponentProcess, component

_VERSION = SERVER_IMAGE.partition(":v")[2].removesuffix("-full")
_BACKEND = "postgresql+psycopg2://"


@dataclass(frozen=True, slots=True)
class MlflowServer:
    folder: Path
    port: int
    process: ComponentProcess

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def status(self, path: str, host: str) -> int:
        """Return what is answered to a request for a host, whatever the address."""
        asked = {"Host": host}
        return int(urllib3.request("GET", f"{self.url}{path}", headers=asked, retries=False).status)

    def run(self, program: Path, environment: Mapping[str, str]) -> Mapping[str, Any]:
        """Run a program as a job would, and return what it wrote."""
        trained = self.folder / "trained"
        command: list[str | Path] = [self.folder / "bin" / "python", program, trained]
        variables = {**environment, "MLFLOW_TRACKING_URI": self.url, "PATH": os.environ["PATH"]}
        subprocess.run(command, env=variables, check=True)
        found: Mapping[str, Any] = json.loads((trained / "found.json").read_text())
        return found


def install_mlflow(folder: Path) -> Path:
    """Make a Python that has MLflow and what it measures a pod by; needs a package index."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    packages = (f"mlflow=={_VERSION}", "psutil")
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return folder


@contextmanager
def running_mlflow(
    platform: Platform, folder: Path, logs: Path, port: int
) -> Iterator[MlflowServer]:
    """Run the commands of its pod one after the other."""
    pod = _pod(platform)
    (upgrade,), (server,) = pod["initContainers"], pod["containers"]
    environment = {each["name"]: each["value"] for each in server["env"]}
    path = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    environment = {**environment, **path, "HOME": str(folder)}
    subprocess.run(_here(upgrade["command"], folder, port), env=environment, check=True)
    command = _here(server["command"], folder, port)
    with component("mlflow", command, logs, environment) as process:
        found = MlflowServer(folder, port, process)
        process.wait_until("healthy", lambda: _is_healthy(found))
        yield found


def _is_healthy(server: MlflowServer) -> bool:
    try:
        return server.status("/health", "192.0.2.7:5000") == 200
    except urllib3.exceptions.HTTPError:
        return False


def _pod(platform: Platform) -> Mapping[str, Any]:
    (planned,) = MLFLOW_DEFINITION.plan(platform)
    assert planned.objects is not None
    (deployment,) = (each for each in planned.objects() if each["kind"] == "Deployment")
    found: Mapping[str, Any] = deployment["spec"]["template"]["spec"]
    return found


def _here(command: Sequence[str], folder: Path, port: int) -> list[str | Path]:
    replaced = {
        _BACKEND: f"sqlite:///{folder}/mlflow.db",
        "--host=0.0.0.0": "--host=127.0.0.1",
        "--port=5000": f"--port={port}",
    }
    words = [*command]
    for index, word in enumerate(words):
        if word.startswith("--artifacts-destination="):
            words[index] = f"--artifacts-destination={folder}/artifacts"
        for old, new in replaced.items():
            words[index] = words[index].replace(old, new)
    return [folder / "bin" / words[0], *words[1:]]
