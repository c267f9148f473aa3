"""Rendering cluster files into dist/."""

import shutil

import pytest

from charts_py.cluster_file.fault import RenderError, SpecError
from gpuplane.versions.record import read_record
from gpuplane.versions.tree import Changes, DistError, read_tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import Repository


def test_a_first_synth_writes_versions_and_what_is_pinned_beside_them(
    repository: Repository,
) -> None:
    repository.write(version="1.0.0-rc.1")
    report = repository.synth()
    files = read_tree(repository.dist)
    assert report.clusters[0].changes == Changes(added=tuple(sorted(files)))
    assert {path.split("/")[1] for path in files} == {
        "1.0.0-rc.1",
        "live-application.yaml",
        "project.yaml",
        "root-application.yaml",
    }
    record = read_record(files["lab/1.0.0-rc.1/release.json"])
    assert (record.cluster, record.version, record.kubernetes) == ("lab", "1.0.0-rc.1", "1.36")
    assert len(record.files) == report.clusters[0].objects == len(files) - 4


def test_a_second_synth_changes_nothing(repository: Repository) -> None:
    repository.render()
    before = read_tree(repository.dist)
    report = repository.synth()
    assert report.is_current
    assert read_tree(repository.dist) == before


def test_a_check_writes_nothing_and_finds_what_a_synth_would_change(repository: Repository) -> None:
    repository.render(version="1.0.0-rc.1")
    before = read_tree(repository.dist)
    repository.write(version="1.0.0-rc.1", gpus=16)
    report = repository.synth(check=True)
    assert not report.is_current
    assert report.clusters[0].changes == Changes(
        changed=tuple(
            f"lab/1.0.0-rc.1/{file}"
            for file in (
                "monitoring/PrometheusRule.gpuplane-facts.yaml",
                "release.json",
                "team-research/ResourceQuota.objects.yaml",
                "team-research/ResourceQuota.quota.yaml",
            )
        )
    )
    assert read_tree(repository.dist) == before


@pytest.mark.parametrize("mistake", ["edited", "added", "removed"])
def test_a_check_finds_what_was_done_by_hand(repository: Repository, mistake: str) -> None:
    repository.render()
    quota = repository.dist / "lab/1.0.0/team-research/ResourceQuota.quota.yaml"
    if mistake == "edited":
        quota.write_text(quota.read_text().replace("100", "101"))
    elif mistake == "added":
        quota.with_name("extra.yaml").write_text("kind: Secret")
    else:
        quota.unlink()
    assert not repository.synth(check=True).is_current


def test_a_check_finds_manifests_that_are_of_no_version(repository: Repository) -> None:
    repository.render(version="1.0.0")
    repository.render(version="1.1.0", live="1.0.0", gpus=16)
    folder = repository.dist / "lab"
    for name in ("README.md", ".gitkeep", "notes/why.txt", "extra.yml", "old/quota/a.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    report = repository.synth(check=True)
    assert report.strays == ("lab/extra.yml", "lab/old/")
    assert (report.is_changed, report.is_current) == (False, False)


def test_a_check_finds_what_a_killed_command_left_and_a_synth_removes_it(
    repository: Repository,
) -> None:
    repository.render(version="1.0.0")
    left = (repository.clusters / ".gpuplane-a", repository.dist / ".synth-b")
    for each in left:
        each.mkdir()
    report = repository.synth(check=True)
    assert (report.abandoned, report.is_current) == (tuple(map(str, left)), False)
    repository.synth()
    assert not any(each.exists() for each in left)
    assert repository.synth(check=True).is_current


def test_a_version_that_is_not_rendered_any_more_is_held_to_its_record(
    repository: Repository,
) -> None:
    repository.render(version="1.0.0")
    repository.write(version="1.1.0", live="1.0.0", gpus=16)
    assert repository.synth().is_current is False
    assert repository.synth(check=True).is_current
    (repository.dist / "lab/1.0.0/team-research/ResourceQuota.quota.yaml").unlink()
    report = repository.synth(check=True)
    assert report.tampered == ("lab/1.0.0/team-research/ResourceQuota.quota.yaml",)
    assert not report.is_current


def test_promoting_changes_one_file(repository: Repository) -> None:
    repository.render(version="1.0.0")
    repository.render(version="1.1.0", live="1.0.0", gpus=16)
    repository.write(version="1.1.0", live="1.1.0", gpus=16)
    (promoted,) = repository.synth().clusters
    assert promoted.changes == Changes(changed=("lab/live-application.yaml",))


def test_a_fault_in_one_cluster_leaves_dist_as_it_was(repository: Repository) -> None:
    repository.render("good", version="1.0.0-rc.1")
    before = read_tree(repository.dist)
    repository.write("good", version="1.0.0-rc.1", gpus=16)
    repository.write("bad", gpus=1000)
    with pytest.raises(SpecError):
        repository.synth()
    assert read_tree(repository.dist) == before


def test_only_named_clusters_are_rendered(repository: Repository) -> None:
    repository.write("one")
    repository.write("two")
    assert [cluster.name for cluster in repository.synth("two").clusters] == ["two"]
    assert sorted(path.name for path in repository.dist.iterdir()) == ["two"]


def test_an_unknown_cluster_is_refused_with_the_nearest(repository: Repository) -> None:
    repository.write("training")
    repository.write("inference")
    assert message_of(RenderError, repository.synth, "trainning") == (
        'unknown cluster "trainning"; allowed: inference, training; nearest: training'
    )


def test_where_nothing_is_live_argo_cd_is_given_nothing_to_sync(repository: Repository) -> None:
    repository.render()
    before = read_tree(repository.dist)
    repository.write(live="none")
    (cluster,) = repository.synth().clusters
    assert (cluster.live, cluster.changes) == (
        None,
        Changes(removed=("lab/live-application.yaml",)),
    )
    assert repository.synth(check=True).is_current
    repository.render()
    assert read_tree(repository.dist) == before


def test_a_live_cluster_of_which_file_and_folder_are_gone_is_refused(
    repository: Repository,
) -> None:
    repository.write("one")
    repository.render("two")
    repository.commit()
    (repository.clusters / "two.yaml").unlink()
    shutil.rmtree(repository.dist / "two")
    with pytest.raises(DistError, match="two: gone, with the file of the cluster"):
        repository.synth(check=True)
