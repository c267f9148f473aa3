"""Small platform repositories to render."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from charts_py.release.synth import SynthReport, SynthRequest, synthesize

CLUSTER = """\
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: {version}
live: {live}
gitops: {{repository: https://git.example.com/platform.git}}
pools:
  h200: {{gpu: H200-SXM, gpus: 8, cpu: 192, memory: 2Ti, purpose: training, nodes: {{max: 4}}}}
teams:
  research:
    owner: research@example.com
    costCenter: "1"
    members: {{users: [research]}}
    priorities: [training]
    namespaces:
      research:
        purpose: training
        quota: {{gpus: {{h200: {gpus}}}, cpu: 100, memory: 1Ti, storage: 1Ti}}
"""


@dataclass(frozen=True, slots=True)
class Repository:
    """A platform repository under git, on its main branch."""

    directory: Path

    @property
    def clusters(self) -> Path:
        return self.directory / "clusters"

    @property
    def dist(self) -> Path:
        return self.directory / "dist"

    def write(
        self, name: str = "lab", *, version: str = "1.0.0", live: str = "", gpus: int = 8
    ) -> None:
        text = CLUSTER.format(version=version, live=live or version, gpus=gpus)
        (self.clusters / f"{name}.yaml").write_text(text, encoding="utf-8")

    def synth(self, *names: str, check: bool = False) -> SynthReport:
        return synthesize(SynthRequest(self.clusters, self.dist, names, check))

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--message", "Release")

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
        command = ["git", *identity, *arguments]
        subprocess.run(command, cwd=self.directory, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path)
    made.clusters.mkdir()
    made.git("init", "--initial-branch", "main")
    return made
