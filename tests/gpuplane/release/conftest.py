"""A staging and a training cluster, of which training waits for staging."""

import datetime as dt
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.rendering.rendering import PinnedChart
from gpuplane.release.promotion import PromotionRequest
from gpuplane.versions.record import RECORD_FILE
from gpuplane.versions.synth import SynthReport, SynthRequest, synthesize
from tests.gpuplane.versions.conftest import CLUSTER, PlatformFolder, run_git
from tests.gpuplane.versions.rendered_versions import RECORD

NOW = dt.datetime(2026, 7, 10, 12, tzinfo=dt.UTC)
"""When versions are promoted."""

CHAIN = ("staging", "training")


class Chain(PlatformFolder):
    """A platform repository with both clusters, on its main branch."""

    def write_fleet(self, more: str = "", chain: Sequence[str] = CHAIN) -> None:
        text = f"promotion:\n  chain: [{', '.join(chain)}]\n{more}"
        (self.clusters / "fleet.yaml").write_text(text, encoding="utf-8")

    def commit(self, hours_ago: float = 0, message: str = "State") -> None:
        run_git(self.directory, "add", "--all")
        self._git_then(hours_ago, "commit", "--message", message)

    def merge(self, branch: str, hours_ago: float) -> None:
        self._git_then(hours_ago, "merge", "--no-ff", branch)

    def _git_then(self, hours_ago: float, *arguments: str) -> None:
        """Run git as if it was some hours earlier."""
        with pytest.MonkeyPatch.context() as patch:
            when = NOW - dt.timedelta(hours=hours_ago)
            patch.setenv("GIT_COMMITTER_DATE", when.isoformat())
            run_git(self.directory, *arguments)

    def request(self, *names: str, version: str | None = None) -> PromotionRequest:
        return PromotionRequest(self.clusters, self.dist, names, NOW, version)


class RecordedChain(Chain):
    """One whose versions have records alone."""

    def write(
        self,
        name: str,
        version: str,
        live: str,
        policies: str = "b",
        quota: int = 8,
        kueue: str | None = None,
    ) -> None:
        """Write a cluster file, the record of its version, and what names the live one."""
        record = replace(
            RECORD,
            cluster=name,
            version=version,
            charts=() if kueue is None else (PinnedChart("kueue", kueue, "https://example.com"),),
            files={"quota.yaml": str(quota)},
            shared={"policies": policies},
        )
        application = f"path: dist/{name}/{live}/argocd\n".encode()
        contents = {
            self.clusters / f"{name}.yaml": f"version: {version}\nlive: {live}\n".encode(),
            self.dist / name / version / RECORD_FILE: record.to_json(),
            self.dist / name / "live-application.yaml": application,
        }
        for file, content in contents.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


class RenderedChain(Chain):
    """One whose versions are rendered."""

    def write(self, name: str, *, version: str, live: str, gpus: int = 8) -> None:
        """Write a cluster file; an empty `live` leaves it out."""
        text = CLUSTER.format(version=version, live=live or "-", gpus=gpus)
        served = f"platform.git, server: https://{name}.example.com}}"
        text = text.replace("live: -\n", "").replace("platform.git}", served)
        (self.clusters / f"{name}.yaml").write_text(text, encoding="utf-8")

    def render(self, name: str, *, version: str, live: str, gpus: int = 8) -> None:
        self.write(name, version=version, live=live, gpus=gpus)
        self.synth()

    def synth(self, *, check: bool = False) -> SynthReport:
        return synthesize(SynthRequest(self.clusters, self.dist, check=check))


def _start(chain: Chain) -> None:
    chain.clusters.mkdir()
    run_git(chain.directory, "init", "--initial-branch", "main")
    for key, value in (("user.name", "Jo Doe"), ("user.email", "jo@example.com")):
        run_git(chain.directory, "config", key, value)


@pytest.fixture(scope="session")
def recorded_chain(tmp_path_factory: pytest.TempPathFactory) -> RecordedChain:
    """Both run 1.0.0; since 30 hours, staging runs 1.1.0 with a change of what both share."""
    chain = RecordedChain(tmp_path_factory.mktemp("recorded"))
    _start(chain)
    chain.write_fleet()
    for name in CHAIN:
        chain.write(name, "1.0.0", "1.0.0", policies="a")
    chain.commit(hours_ago=90)
    chain.write("staging", "1.1.0", "1.1.0")
    chain.write("training", "1.1.0", "1.0.0")
    chain.commit(hours_ago=30)
    return chain


@pytest.fixture
def chain(recorded_chain: RecordedChain, tmp_path: Path) -> RecordedChain:
    shutil.copytree(recorded_chain.directory, tmp_path, dirs_exist_ok=True)
    return RecordedChain(tmp_path)


@pytest.fixture(scope="session")
def rendered_chain(tmp_path_factory: pytest.TempPathFactory) -> RenderedChain:
    """Training, the only cluster, runs 1.1.0, and has 1.2.0, which is not live."""
    chain = RenderedChain(tmp_path_factory.mktemp("rendered"))
    _start(chain)
    chain.write_fleet(chain=["training"])
    chain.render("training", version="1.1.0", live="1.1.0")
    chain.commit(hours_ago=90)
    chain.render("training", version="1.2.0", live="1.1.0", gpus=16)
    chain.commit(hours_ago=30)
    return chain


@pytest.fixture
def rendered(rendered_chain: RenderedChain, tmp_path: Path) -> RenderedChain:
    shutil.copytree(rendered_chain.directory, tmp_path, dirs_exist_ok=True)
    return RenderedChain(tmp_path)
