"""`gpuplane new llm --weights models:/...` and `gpuplane bump models`, by recorded answers."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from tests.gpuplane.conftest import SAMPLES, Run
from tests.gpuplane.model_registry.recorded import Recorded, recorded_registry
from tests.gpuplane.pull_request.hosts import of_github, of_gitlab, serving_state
from tests.gpuplane.pull_request.proposal_hosts import (
    ADDRESS,
    GitHubRepository,
    GitLabProject,
    Repository,
)
from tests.gpuplane.versions.conftest import commit_all

RUN = "s3://example-models/mlflow/1/0ac9016ed89449b284a0d1213af6bb14/artifacts/model"
SERVER = (
    *("new", "llm", "chat", "--weights", "models:/chat@champion", "--parameters", "8B"),
    *("--kv-bytes-per-token", "131072", "--image", "registry.example.com/vllm:0.30.0"),
    *("--namespace", "research-serving", "--canary", "--replicas", "2"),
)
BRANCH = "gpuplane/model-chat@champion"
ELSEWHERE = "s3://example-models/elsewhere"
MOVED = f"manifests/chat.yaml: models:/chat@champion: 1 -> 3, {ELSEWHERE}"
LEVEL = "every manifest has the version that its alias names"
NEXT = (
    "Another version is another pod template: a Rollout replaces a few replicas first, and goes on "
    "as their metrics allow; anything else follows its strategy."
)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    with recorded_registry() as state:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", state.url)
        yield state


@pytest.fixture
def manifest(
    tmp_path: Path, in_repository: Run, registry: Recorded, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return the manifest of a server whose alias names another version since it was written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clusters").mkdir()
    shutil.copy(SAMPLES / "model-registry.yaml", tmp_path / "clusters" / "models.yaml")
    file = tmp_path / "manifests" / "chat.yaml"
    file.parent.mkdir()
    result = in_repository(*SERVER, "-f", file)
    assert (result.exit_code, result.stdout) == (0, "")
    registry.champion = "3"
    return file


@pytest.fixture(params=["github", "gitlab"])
def host(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    is_github = request.param == "github"
    with serving_state(GitHubRepository if is_github else GitLabProject, Repository()) as state:
        variables: Mapping[str, str] = (
            of_github(state.url, "") if is_github else of_gitlab(state.url)
        )
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield state


def test_a_server_has_the_version_that_the_alias_names_and_a_name_that_stays(
    manifest: Path,
) -> None:
    *_, rollout = from_yaml(manifest.read_text(encoding="utf-8"))
    template = rollout["spec"]["template"]
    found = template["metadata"]["annotations"]
    assert {key: value for key, value in found.items() if "/model" in key} == {
        "gpuplane.io/model": "models:/chat@champion",
        "gpuplane.io/model-version": "1",
        "gpuplane.io/model-source": RUN,
    }
    (container,) = template["spec"]["containers"]
    assert container["command"][:3] == ["vllm", "serve", RUN]
    assert "--served-model-name=chat" in container["command"]


def test_the_manifest_moves_once(manifest: Path, in_repository: Run) -> None:
    text = manifest.read_text(encoding="utf-8")
    command = ("bump", "models", "manifests")
    assert in_repository.ended(*command, "--check") == (1, f"{MOVED}\n", "")
    lines = in_repository.printed(*command, "--dry-run").splitlines()
    assert [each for each in lines if each.startswith(("+", "-"))] == [
        "--- a/manifests/chat.yaml",
        "+++ b/manifests/chat.yaml",
        "-        gpuplane.io/model-version: '1'",
        f"-        gpuplane.io/model-source: {RUN}",
        "+        gpuplane.io/model-version: '3'",
        f"+        gpuplane.io/model-source: {ELSEWHERE}",
        f"-        - {RUN}",
        f"+        - {ELSEWHERE}",
    ]
    assert manifest.read_text(encoding="utf-8") == text
    told = in_repository.printed(*command)
    assert told == f"{MOVED}\nnext: commit it; a Rollout replaces a few replicas first\n"
    moved = text.replace("model-version: '1'", "model-version: '3'").replace(RUN, ELSEWHERE)
    assert manifest.read_text(encoding="utf-8") == moved
    assert in_repository.printed(*command) == f"{LEVEL}\n"


def test_each_alias_has_a_pull_request_that_is_kept_up_to_date(
    tmp_path: Path, manifest: Path, registry: Recorded, in_repository: Run, host: Repository
) -> None:
    commit_all(tmp_path)
    text = manifest.read_text(encoding="utf-8")
    command = ("bump", "models", "manifests", "--open")
    assert in_repository.printed(*command) == f"{MOVED}\n  pull request opened: {ADDRESS}\n"
    assert manifest.read_text(encoding="utf-8") == text
    assert {branch: [*files] for branch, files in host.branches.items()} == {
        BRANCH: ["manifests/chat.yaml"]
    }
    assert "model-version: '3'" in str(host.branches[BRANCH]["manifests/chat.yaml"])
    (opened,) = host.requests
    assert (opened.branch, opened.title) == (BRANCH, "Serve version 3 of chat@champion")
    assert opened.body.splitlines()[1:] == [
        "The alias names another version in the model registry:",
        "",
        f"- {MOVED}",
        "",
        NEXT,
    ]
    assert in_repository.printed(*command) == f"{MOVED}\n  pull request is open: {ADDRESS}\n"
    registry.champion = "1"
    told = in_repository.printed(*command)
    assert told == f"{LEVEL}\n  pull request closed: {ADDRESS}\n"
    assert not host.requests[0].is_open


def test_without_an_address_it_is_said_where_one_may_stand(
    manifest: Path, in_repository: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI")
    assert manifest.is_file()
    said = in_repository.refused("bump", "models", "manifests")
    assert "no model registry is known here; allowed: the variable MLFLOW_TRACKING_URI" in said
