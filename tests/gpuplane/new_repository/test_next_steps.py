"""What is left to do after `gpuplane init`."""

from pathlib import Path

import pytest

from charts_py.cluster_file.source import read_source
from gpuplane.new_repository.next_steps import fields_to_set, next_steps
from gpuplane.new_repository.repository import write_new_repository
from gpuplane.new_repository.source import git_commit
from gpus.provider import Provider

SOURCE = git_commit("https://git.example.com/gpuplane.git", "0" * 40)


@pytest.mark.parametrize("provider", list(Provider))
def test_each_field_to_set_stands_in_the_example(provider: Provider, tmp_path: Path) -> None:
    write_new_repository(tmp_path, provider, SOURCE)
    marks = read_source(tmp_path / "clusters" / "example.yaml", "example.yaml").marks
    fields = [tuple(field.split(".")) for field in fields_to_set(provider)]
    assert [field for field in fields if field not in marks] == []


@pytest.mark.parametrize("provider", list(Provider))
def test_every_setting_of_the_provider_itself_is_to_be_set(
    provider: Provider, tmp_path: Path
) -> None:
    write_new_repository(tmp_path, provider, SOURCE)
    marks = read_source(tmp_path / "clusters" / "example.yaml", "example.yaml").marks
    own = {".".join(map(str, path)) for path in marks if len(path) == 2 and path[0] == provider}
    assert own == {field for field in fields_to_set(provider) if "." in field}


def test_the_steps_are_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert list(next_steps(Path("my platform"), Provider.GKE)) == [
        "cd 'my platform' && git init --initial-branch main",
        "clusters/fleet.yaml: set gitops.repository to the address of that repository",
        (
            "clusters/example.yaml: name it after your cluster, and set region, gke.project, "
            "gke.clusterName, gke.location, pools and teams"
        ),
        (
            "make image push-image IMAGE=<registry>/gpuplane-webhook:<tag>, and set webhook.image "
            "in clusters/fleet.yaml to what it prints"
        ),
        "make synth, and commit clusters/ and dist/ together",
        "README.md: what the cluster must have, and how Argo CD starts",
    ]


def test_they_begin_where_the_folder_is_in_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root, *_ = next_steps(tmp_path, Provider.GKE)
    assert root == f"cd {tmp_path}"
    folder = tmp_path / "gpus"
    steps = list(next_steps(folder, Provider.GKE))
    assert steps[:2] == [
        (
            f"cd {folder} (gitops.path is set to gpus; for a repository of its own, run git init "
            "there and set it to .)"
        ),
        (
            "move .github/ to the root of that repository, and have the action of "
            'pull-request.yaml run here: with: {directory: "gpus"}'
        ),
    ]
