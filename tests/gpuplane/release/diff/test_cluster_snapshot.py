"""A cluster in one state of its repository."""

from pathlib import Path

import pytest

from charts_py.argocd.pinned_files import PROJECT
from gpuplane.release.diff.cluster_snapshot import ClusterSnapshot, DeclaredVersions
from gpuplane.release.diff.snapshot import WorkTree
from gpuplane.release.dist_error import DistError
from tests.gpuplane.release.diff.conftest import declare, priority_class
from tests.gpuplane.release.rendered_versions import record_files


def _cluster(repository: Path, name: str = "sample") -> ClusterSnapshot:
    return ClusterSnapshot(WorkTree(), repository / "clusters", repository / "dist", name)


def test_a_cluster_file_declares_versions_over_what_the_fleet_shares(repository: Path) -> None:
    assert _cluster(repository).declared == DeclaredVersions("1.1.0", "1.0.0")
    declare(repository, live="1.0.0")
    (repository / "clusters" / "fleet.yaml").write_text("version: 1.2.0\n", encoding="utf-8")
    assert _cluster(repository).declared == DeclaredVersions("1.2.0", "1.0.0")


def test_the_declared_version_is_live_unless_another_is(repository: Path) -> None:
    declare(repository, version="1.1.0")
    assert _cluster(repository).declared == DeclaredVersions("1.1.0", "1.1.0")


def test_no_version_may_be_live(repository: Path) -> None:
    declare(repository, version="1.1.0", live="none")
    assert _cluster(repository).declared == DeclaredVersions("1.1.0", None)


def test_without_a_file_no_version_is_declared(repository: Path) -> None:
    assert _cluster(repository, "other").declared == DeclaredVersions(None, None)


def test_what_is_declared_but_not_in_dist_is_not_rendered(repository: Path) -> None:
    declare(repository, version="1.2.0", live="1.0.0")
    assert _cluster(repository).rendered == DeclaredVersions(None, "1.0.0")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- a\n", "1: the file is not a mapping; allowed: fields with values"),
        ("a: [", '1:4: invalid YAML: "[" is not closed; allowed: "]"'),
    ],
)
def test_a_cluster_file_that_cannot_be_read_is_named(
    repository: Path, text: str, fault: str
) -> None:
    file = repository / "clusters" / "sample.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DistError) as refused:
        _ = _cluster(repository).declared
    assert str(refused.value).startswith(f"{file}:{fault}")


def test_a_version_that_is_not_as_its_record_has_it_is_not_read(repository: Path) -> None:
    folder = repository / "dist" / "sample" / "1.0.0"
    classes = folder / "priority-classes"
    (classes / "PriorityClass.batch.yaml").unlink()
    (classes / "PriorityClass.more.yaml").touch()
    (classes / "PriorityClass.notebooks.yaml").write_bytes(b"")
    (classes / ".DS_Store").touch()
    with pytest.raises(DistError) as refused:
        _cluster(repository).tree("1.0.0")
    end = "restore it from git, or render it again where it is not released"
    assert str(refused.value).splitlines() == [
        f"{classes}/PriorityClass.batch.yaml: is missing, though release.json lists it; {end}",
        f"{classes}/PriorityClass.more.yaml: is not in its release.json; remove it",
        f"{classes}/PriorityClass.notebooks.yaml: differs from its release.json; {end}",
    ]
    (folder / "release.json").unlink()
    with pytest.raises(DistError) as refused:
        _cluster(repository).tree("1.0.0")
    assert str(refused.value) == f"{folder}: release.json is missing; {end}"


def test_clusters_without_a_version_are_not_rendered(repository: Path) -> None:
    (repository / "dist" / "fleet").mkdir()
    assert _cluster(repository).rendered_clusters == ("sample",)


def test_the_record_is_not_in_the_tree_of_a_version(repository: Path) -> None:
    assert _cluster(repository).tree("1.0.0") == {
        "priority-classes/PriorityClass.batch.yaml": priority_class("batch", 100).encode(),
        "priority-classes/PriorityClass.notebooks.yaml": priority_class("notebooks", 1).encode(),
    }
    assert _cluster(repository).tree(None) == {}


def test_the_folder_of_the_version_itself_is_the_same_in_every_tree(repository: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        file = repository / "dist" / "sample" / version / "argocd" / "Application.team.yaml"
        file.parent.mkdir()
        file.write_text(f"path: dist/sample/{version}/team\n", encoding="utf-8")
        record_files(file.parents[1])
    trees = [_cluster(repository).tree(version) for version in ("1.0.0", "1.1.0")]
    assert [tree["argocd/Application.team.yaml"] for tree in trees] == [
        b"path: dist/CLUSTER/VERSION/team\n"
    ] * 2


def test_the_project_is_synced_with_any_version(repository: Path) -> None:
    (repository / "dist" / "sample" / PROJECT).write_bytes(b"kind: AppProject\n")
    cluster = _cluster(repository)
    beside = {f"root/{PROJECT}": b"kind: AppProject\n"}
    assert cluster.synced("1.0.0") == {**cluster.tree("1.0.0"), **beside}
    assert cluster.synced(None) == beside
