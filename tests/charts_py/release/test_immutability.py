"""Released versions never change."""

from pathlib import Path

import pytest

from charts_py.release.dist import Changes, read_tree
from charts_py.release.git import GitError
from charts_py.release.immutability import ReleasedError, next_version
from charts_py.release.synth import SynthRequest, synthesize
from tests.charts_py.release.conftest import Repository, distrust_checkouts


def test_other_objects_in_a_released_version_are_refused_by_name(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    before = read_tree(repository.dist)
    repository.write(version="1.0.0", gpus=16)
    monkeypatch.chdir(repository.directory)
    with pytest.raises(ReleasedError) as refused:
        synthesize(SynthRequest(Path("clusters"), Path("dist")))
    assert str(refused.value) == (
        "clusters/lab.yaml: version 1.0.0 is released (main) and cannot change, "
        "but other objects are rendered now:\n"
        "  changed monitoring/PrometheusRule.gpuplane-facts.yaml\n"
        "  changed team-research/ResourceQuota.quota.yaml\n"
        "  set version: 1.0.1 or higher; live: 1.0.0 keeps what runs"
    )
    assert read_tree(repository.dist) == before


def test_a_prerelease_is_rendered_again(repository: Repository) -> None:
    repository.write(version="1.0.0-rc.1")
    repository.synth()
    repository.commit()
    repository.write(version="1.0.0-rc.1", gpus=16)
    assert repository.synth().clusters[0].changes


def test_a_version_is_not_released_before_the_main_branch_has_it(repository: Repository) -> None:
    repository.write(version="1.0.0-rc.1")
    repository.commit()
    repository.git("checkout", "-b", "proposal")
    repository.release()
    repository.write(version="1.0.0", gpus=16)
    assert repository.synth().clusters[0].changes


def test_without_a_main_branch_nobody_can_tell_what_is_released(repository: Repository) -> None:
    repository.write(version="1.0.0")
    assert not repository.synth().main_branch_is_missing
    repository.commit()
    repository.git("branch", "--move", "trunk")
    assert repository.synth(check=True).main_branch_is_missing
    repository.write(version="1.0.0-rc.1")
    assert not repository.synth().main_branch_is_missing


def test_the_main_branch_can_be_named(repository: Repository) -> None:
    repository.release()
    repository.git("branch", "--move", "trunk")
    repository.write(version="1.0.0", gpus=16)
    request = SynthRequest(repository.clusters, repository.dist, main_branch="trunk")
    with pytest.raises(ReleasedError, match=r"version 1\.0\.0 is released \(trunk\)"):
        synthesize(request)


def test_where_git_refuses_to_tell_what_is_released_nothing_is_written(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    before = read_tree(repository.dist)
    repository.write(version="1.0.0", gpus=16)
    distrust_checkouts(monkeypatch)
    with pytest.raises(GitError):
        repository.synth()
    assert read_tree(repository.dist) == before


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        (Changes(changed=("a",)), "1.2.4"),
        (Changes(added=("a",), changed=("b",)), "1.3.0"),
        (Changes(added=("a",), removed=("b",)), "2.0.0"),
    ],
)
def test_the_next_version_says_what_changes(changes: Changes, wanted: str) -> None:
    assert next_version("1.2.3", changes) == wanted
