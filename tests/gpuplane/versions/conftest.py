"""Small platform repositories to render."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpuplane.versions.synth import SynthReport, SynthRequest, synthesize
from tests.gpuplane.versions.rendered_versions import declare, render

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
network: {{policyEngine: calico}}
webhook: {{image: registry.example.com/gpuplane-webhook:1}}
"""


def run_git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
    command = ["git", "-C", str(folder), *identity, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit_all(folder: Path) -> None:
    """Commit all that is in a folder, to its branch `main`."""
    run_git(folder, "init", "--initial-branch", "main")
    run_git(folder, "add", "--all")
    run_git(folder, "commit", "--message", "State")


def object_file(folder: Path, name: str) -> Path:
    """Return the file that holds an object, such as `main` or `main:dist`."""
    digest = run_git(folder, "rev-parse", name)
    return folder / ".git" / "objects" / digest[:2] / digest[2:]


def distrust_checkouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have git take every checkout for another user's."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    # What a machine trusts stands there.
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)


@dataclass(frozen=True, slots=True)
class PlatformFolder:
    directory: Path

    @property
    def clusters(self) -> Path:
        return self.directory / "clusters"

    @property
    def dist(self) -> Path:
        return self.directory / "dist"


class Repository(PlatformFolder):
    """A platform repository under git, on its main branch."""

    def write(
        self, name: str = "lab", *, version: str = "1.0.0", live: str = "", gpus: int = 8
    ) -> None:
        text = CLUSTER.format(version=version, live=live or version, gpus=gpus)
        (self.clusters / f"{name}.yaml").write_text(text, encoding="utf-8")

    def render(
        self, name: str = "lab", *, version: str = "1.0.0", live: str = "", gpus: int = 8
    ) -> SynthReport:
        """Write a cluster file, and render all that stand."""
        self.write(name, version=version, live=live, gpus=gpus)
        return self.synth()

    def synth(self, *names: str, check: bool = False) -> SynthReport:
        return synthesize(SynthRequest(self.clusters, self.dist, names, check))

    def release(self) -> None:
        """Have the main branch hold version 1.0.0."""
        self.render(version="1.0.0")
        self.commit()

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--message", "Release")

    def git(self, *arguments: str) -> None:
        run_git(self.directory, *arguments)


def new_repository(folder: Path) -> Repository:
    """Make a platform repository in an empty folder, without clusters or commits."""
    made = Repository(folder)
    made.clusters.mkdir()
    made.git("init", "--initial-branch", "main")
    return made


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return new_repository(tmp_path)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    declare(tmp_path, version="1.1.0", live="1.0.0")
    render(tmp_path, "1.0.0", batch=100, notebooks=1)
    render(tmp_path, "1.1.0", batch=200, gold=5, notebooks=1)
    return tmp_path
