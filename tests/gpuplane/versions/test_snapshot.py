"""The disk and a commit, read alike."""

from pathlib import Path

import pytest

from charts_py.argocd.application import PROJECT
from gpuplane.versions.git import named_commit
from gpuplane.versions.snapshot import ClusterSnapshot, DeclaredVersions, Snapshot, WorkTree
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import commit_all
from tests.gpuplane.versions.rendered_versions import declare, priority_class, record_files

FILES = {
    "dist/sample/1.0.0/a/x.yaml": b"x: 1\n",
    "dist/sample/1.0.0/b/name with spaces.yaml": "ä: 2\n".encode(),
    "dist/sample/1.1.0/a/empty.yaml": b"",
    "dist/sample/root.yaml": b"no line break",
}


@pytest.fixture(params=["disk", "commit", "commit seen from a folder of the checkout"])
def snapshot(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Snapshot, Path]:
    """Return a snapshot of the files, and the platform repository in it."""
    platform = tmp_path / "platform" if "folder" in request.param else tmp_path
    for path, content in FILES.items():
        (platform / path).parent.mkdir(parents=True, exist_ok=True)
        (platform / path).write_bytes(content)
    if request.param == "disk":
        return WorkTree(), platform
    commit_all(tmp_path)
    (platform / "dist/sample/root.yaml").write_bytes(b"another")
    (platform / "dist/sample/1.2.0").mkdir()
    return named_commit(platform, "HEAD"), platform


def test_a_file_is_read(snapshot: tuple[Snapshot, Path]) -> None:
    files, platform = snapshot
    assert files.read(platform / "dist/sample/root.yaml") == b"no line break"
    assert files.read(platform / "dist/sample/missing.yaml") is None
    assert files.read(platform / "dist/sample") is None


def test_a_tree_has_every_file_below(snapshot: tuple[Snapshot, Path]) -> None:
    files, platform = snapshot
    assert files.tree(platform / "dist") == {
        path.removeprefix("dist/"): content for path, content in FILES.items()
    }
    assert files.tree(platform / "dist" / "missing") == {}


def test_folders_are_listed_without_files(snapshot: tuple[Snapshot, Path]) -> None:
    files, platform = snapshot
    assert files.folders(platform / "dist" / "sample") == ("1.0.0", "1.1.0")
    assert files.folders(platform / "dist" / "missing") == ()


def _cluster(sample: Path, name: str = "sample") -> ClusterSnapshot:
    return ClusterSnapshot(WorkTree(), sample / "clusters", sample / "dist", name)


def test_a_cluster_file_declares_versions_over_what_the_fleet_shares(sample: Path) -> None:
    assert _cluster(sample).declared == DeclaredVersions("1.1.0", "1.0.0")
    declare(sample, live="1.0.0")
    (sample / "clusters" / "fleet.yaml").write_text("version: 1.2.0\n", encoding="utf-8")
    assert _cluster(sample).declared == DeclaredVersions("1.2.0", "1.0.0")


def test_the_declared_version_is_live_unless_another_is(sample: Path) -> None:
    declare(sample, version="1.1.0")
    assert _cluster(sample).declared == DeclaredVersions("1.1.0", "1.1.0")


def test_no_version_may_be_live(sample: Path) -> None:
    declare(sample, version="1.1.0", live="none")
    assert _cluster(sample).declared == DeclaredVersions("1.1.0", None)


def test_without_a_file_no_version_is_declared(sample: Path) -> None:
    assert _cluster(sample, "other").declared == DeclaredVersions(None, None)


def test_what_is_declared_but_not_in_dist_is_not_rendered(sample: Path) -> None:
    declare(sample, version="1.2.0", live="1.0.0")
    assert _cluster(sample).rendered == DeclaredVersions(None, "1.0.0")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- a\n", "1: the file is not a mapping; allowed: fields with values"),
        ("a: [", '1:4: invalid YAML: "[" is not closed; allowed: "]"'),
        ("live: 1.0.0\nlive: 1.1.0\n", "2: live: duplicate key; first on line 1; allowed: once"),
    ],
)
def test_a_cluster_file_that_cannot_be_read_is_named(sample: Path, text: str, fault: str) -> None:
    file = sample / "clusters" / "sample.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DistError) as refused:
        _ = _cluster(sample).declared
    assert str(refused.value).startswith(f"{file}:{fault}")


def test_a_commit_with_a_duplicate_key_is_read_as_the_change_that_mends_it_needs(
    sample: Path,
) -> None:
    text = "version: 1.1.0\nlive: 1.0.0\nlive: 1.1.0\n"
    (sample / "clusters" / "sample.yaml").write_text(text)
    commit_all(sample)
    commit, clusters, dist = named_commit(sample, "HEAD"), sample / "clusters", sample / "dist"
    declared = ClusterSnapshot(commit, clusters, dist, "sample").declared
    assert declared == DeclaredVersions("1.1.0", "1.0.0")


def test_a_version_that_is_not_as_its_record_has_it_is_not_read(sample: Path) -> None:
    folder = sample / "dist" / "sample" / "1.0.0"
    classes = folder / "priority-classes"
    (classes / "PriorityClass.batch.yaml").unlink()
    (classes / "PriorityClass.more.yaml").touch()
    (classes / "PriorityClass.notebooks.yaml").write_bytes(b"")
    (classes / ".DS_Store").touch()
    end = "restore it from git, or render it again where it is not released"
    assert message_of(DistError, _cluster(sample).tree, "1.0.0").splitlines() == [
        f"{classes}/PriorityClass.batch.yaml: is missing, though release.json lists it; {end}",
        f"{classes}/PriorityClass.more.yaml: is not in its release.json; remove it",
        f"{classes}/PriorityClass.notebooks.yaml: differs from its release.json; {end}",
    ]
    (folder / "release.json").unlink()
    message = message_of(DistError, _cluster(sample).tree, "1.0.0")
    assert message == f"{folder}: release.json is missing; {end}"


def test_clusters_without_a_version_are_not_rendered(sample: Path) -> None:
    (sample / "dist" / "fleet").mkdir()
    assert _cluster(sample).rendered_clusters == ("sample",)


def test_the_record_is_not_in_the_tree_of_a_version(sample: Path) -> None:
    assert _cluster(sample).tree("1.0.0") == {
        "priority-classes/PriorityClass.batch.yaml": priority_class("batch", 100).encode(),
        "priority-classes/PriorityClass.notebooks.yaml": priority_class("notebooks", 1).encode(),
    }
    assert _cluster(sample).tree(None) == {}


def test_the_folder_of_the_version_itself_is_the_same_in_every_tree(sample: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        file = sample / "dist" / "sample" / version / "argocd" / "Application.team.yaml"
        file.parent.mkdir()
        file.write_text(f"path: dist/sample/{version}/team\n", encoding="utf-8")
        record_files(file.parents[1])
    trees = [_cluster(sample).tree(version) for version in ("1.0.0", "1.1.0")]
    assert [tree["argocd/Application.team.yaml"] for tree in trees] == [
        b"path: dist/CLUSTER/VERSION/team\n"
    ] * 2


def test_the_project_is_synced_with_any_version(sample: Path) -> None:
    (sample / "dist" / "sample" / PROJECT).write_bytes(b"kind: AppProject\n")
    cluster = _cluster(sample)
    beside = {f"root/{PROJECT}": b"kind: AppProject\n"}
    assert cluster.synced("1.0.0") == {**cluster.tree("1.0.0"), **beside}
    assert cluster.synced(None) == beside
