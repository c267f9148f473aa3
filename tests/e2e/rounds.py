"""A round of a CronJob at an API server, with the rights of its own service account."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.components.rounds import Rounds
from rounds.settings import Part, write
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.folders import REPOSITORY


@dataclass(frozen=True, slots=True)
class Round:
    """What a round said, and how it ended."""

    lines: list[dict[str, Any]]
    faults: str
    code: int


def run_round(control_plane: ControlPlane, rounds: Rounds, settings: Part, folder: Path) -> Round:
    known, token = folder / "settings.json", folder / "token"
    known.write_text(write(settings), encoding="utf-8")
    path = f"/api/v1/namespaces/{rounds.namespace}/serviceaccounts/{rounds.name}/token"
    answer = control_plane.admin.request("POST", path, {"spec": {}})
    token.write_text(answer.document["status"]["token"], encoding="ascii")
    options = [f"--settings={known}", f"--token={token}", f"--api-server={control_plane.server}"]
    options.append(f"--authority={control_plane.files.authority}")
    command = [sys.executable, "-m", "gpuplane", rounds.command, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return Round(lines, done.stderr, done.returncode)
