"""What belongs in dist/ for a rendered cluster."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.versions.entries import ReleasedError
from gpuplane.versions.git import GitError
from gpuplane.versions.record import digest, read_record, read_record_file
from gpuplane.versions.synth import SynthRequest, synthesize
from gpuplane.versions.tree import read_tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import Repository, distrust_checkouts, run_git


def test_a_live_version_that_was_never_rendered_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.render(version="1.0.0")
    repository.write(version="1.1.0", live="0.9.0")
    monkeypatch.chdir(repository.directory)
    assert message_of(SpecError, synthesize, SynthRequest(Path("clusters"), Path("dist"))) == (
        'clusters/lab.yaml:5: live: version "0.9.0" is not in dist/lab (git restores one that '
        "was); allowed: 1.0.0, 1.1.0"
    )


def test_a_newer_tool_that_renders_the_same_objects_leaves_the_record(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    monkeypatch.setattr("gpuplane.versions.rendering.tool_version", lambda: "99.0.0")
    assert repository.synth(check=True).is_current
    record = read_record((repository.dist / "lab/1.0.0/release.json").read_bytes())
    assert record.tool_version != "99.0.0"


def test_a_live_version_that_is_neither_rendered_nor_merged_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    _write_by_hand(repository, "1.0.1")
    repository.write(version="1.1.0", live="1.0.1")
    monkeypatch.chdir(repository.directory)
    assert message_of(SpecError, synthesize, SynthRequest(Path("clusters"), Path("dist"))) == (
        'clusters/lab.yaml:5: live: version "1.0.1" is neither what this file renders nor as on '
        "main; allowed: the version of this file, or one that is merged, and as it was"
    )
    repository.commit()
    assert not synthesize(SynthRequest(Path("clusters"), Path("dist"))).tampered


@pytest.mark.parametrize("version", ["1.0.0-rc.1", "1.0.0"])
def test_a_live_version_that_came_back_otherwise_is_refused(
    repository: Repository, version: str
) -> None:
    repository.render(version=version)
    repository.commit()
    repository.render(version="2.0.0")
    shutil.rmtree(repository.dist / "lab" / version)
    repository.commit()
    repository.git("checkout", "main~1", "--", f"dist/lab/{version}")
    repository.render(version="2.0.0", live=version)
    _write_by_hand(repository, version)
    with pytest.raises(SpecError, match="is neither what this file renders nor as on main"):
        repository.synth()


def _write_by_hand(repository: Repository, version: str) -> None:
    """Write a version that fits its record, and which no cluster file renders."""
    content = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: backdoor}\n"
    folder = repository.dist / "lab" / version
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "namespaces").mkdir(parents=True)
    (folder / "namespaces" / "Namespace.backdoor.yaml").write_bytes(content)
    rendered = next(repository.dist.glob("lab/*/release.json"))
    files = {"namespaces/Namespace.backdoor.yaml": digest(content)}
    record = replace(read_record_file(rendered), version=version, files=files)
    (folder / "release.json").write_bytes(record.to_json())


def test_other_objects_in_a_released_version_are_refused_by_name(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    before = read_tree(repository.dist)
    repository.write(version="1.0.0", gpus=16)
    monkeypatch.chdir(repository.directory)
    assert message_of(ReleasedError, synthesize, SynthRequest(Path("clusters"), Path("dist"))) == (
        "clusters/lab.yaml: version 1.0.0 is released (main) and cannot change, "
        "but other objects are rendered now:\n"
        "  changed monitoring/PrometheusRule.gpuplane-facts.yaml\n"
        "  changed team-research/ResourceQuota.objects.yaml\n"
        "  changed team-research/ResourceQuota.quota.yaml\n"
        "  gpuplane release lab cuts the version that this asks for, "
        "or set version: 1.0.1-rc.1 to look at it first; live: 1.0.0 keeps what runs"
    )
    assert read_tree(repository.dist) == before


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_version_that_another_change_of_the_fleet_collides_with_names_that_change(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, is_committed: bool
) -> None:
    repository.release()
    fleet = "policies: {mode: warn}\n"
    (repository.clusters / "fleet.yaml").write_text(fleet, encoding="utf-8")
    if is_committed:
        repository.commit()
    monkeypatch.chdir(repository.directory)
    said = message_of(ReleasedError, synthesize, SynthRequest(Path("clusters"), Path("dist")))
    *_, moved, _ = said.splitlines()
    by = r", by [0-9a-f]+ \(Release\)" if is_committed else ""
    assert re.fullmatch(rf"  clusters/fleet\.yaml has another value of policies since{by}", moved)


def test_a_prerelease_is_rendered_again(repository: Repository) -> None:
    repository.render(version="1.0.0-rc.1")
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


@pytest.fixture
def pruned(repository: Repository) -> Repository:
    """1.0.0 was released, and deleted once 1.1.0 was live."""
    repository.release()
    repository.render(version="1.1.0", gpus=16)
    shutil.rmtree(repository.dist / "lab/1.0.0")
    repository.commit()
    return repository


def test_the_number_of_a_pruned_version_is_not_used_again(pruned: Repository) -> None:
    pruned.write(version="1.0.0", live="none", gpus=16)
    message = message_of(ReleasedError, pruned.synth)
    commit = run_git(pruned.directory, "rev-parse", "--short", "HEAD")
    first, *_, last = message.splitlines()
    assert first == (
        f"{pruned.clusters}/lab.yaml: version 1.0.0 was released once, and deleted by {commit}, "
        "but other objects are rendered now:"
    )
    assert last == "  set a version above each in dist/lab"


def test_a_pruned_version_is_rendered_again_as_it_was(pruned: Repository) -> None:
    pruned.render(version="1.0.0", live="none")
    record = (pruned.dist / "lab/1.0.0/release.json").read_text()
    assert record == run_git(pruned.directory, "show", "HEAD~:dist/lab/1.0.0/release.json") + "\n"


def test_a_released_record_that_is_changed_with_its_files_is_told(repository: Repository) -> None:
    repository.release()
    repository.render(version="1.1.0", live="1.1.0", gpus=16)
    record = repository.dist / "lab/1.0.0/release.json"
    record.write_bytes(record.read_bytes().replace(b'"toolVersion": "', b'"toolVersion": "9'))
    assert repository.synth(check=True).tampered == ("lab/1.0.0/release.json",)
