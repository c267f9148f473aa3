import shutil
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.release.removal import RemovedVersion, StillLiveError, plan_removal, remove
from gpuplane.versions.tree import Changes, DistError, read_tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import Repository, new_repository


@pytest.fixture(scope="module")
def main_branch(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Two clusters of one Argo CD, as the main branch has them; nothing of `one` is live."""
    repository = new_repository(tmp_path_factory.mktemp("main-branch"))
    for name in ("one", "two"):
        _write(repository, name)
    repository.synth()
    _write(repository, "one", live="none")
    repository.synth()
    repository.commit()
    return repository


@pytest.fixture
def clusters(
    main_branch: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Repository:
    """A copy of them."""
    shutil.copytree(main_branch.directory, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Repository(tmp_path)


def _write(repository: Repository, name: str, live: str = "1.0.0") -> None:
    repository.write(name, live=live)
    file = repository.clusters / f"{name}.yaml"
    served = f"platform.git, server: https://{name}.example.com}}"
    file.write_text(file.read_text("utf-8").replace("platform.git}", served), encoding="utf-8")


FOLDERS = (Path("clusters"), Path("dist"))


def test_what_goes_is_planned_and_nothing_else_goes(clusters: Repository) -> None:
    before = read_tree(clusters.directory)
    removal = plan_removal(*FOLDERS, "one")
    assert read_tree(clusters.directory) == before
    files = [path for path in before if path.startswith("dist/one/")]
    assert (removal.file, removal.files, removal.versions, removal.fleet_changes) == (
        Path("clusters/one.yaml"),
        len(files),
        (RemovedVersion("1.0.0", len(files) - 3, is_on_main_branch=True),),
        Changes(),
    )
    remove(removal)
    gone = {"clusters/one.yaml", *files}
    assert read_tree(clusters.directory) == {
        path: content for path, content in before.items() if path not in gone
    }
    assert clusters.synth(check=True).is_current


def test_what_was_never_merged_leaves_the_fleet_as_well(clusters: Repository) -> None:
    before = read_tree(clusters.directory)
    _write(clusters, "three")
    clusters.synth()
    removal = plan_removal(*FOLDERS, "three")
    assert [each.is_on_main_branch for each in removal.versions] == [False]
    assert removal.fleet_changes == Changes(
        changed=("ApplicationSet.fleet.yaml", "ConfigMap.argocd-cm.yaml")
    )
    remove(removal)
    after = read_tree(clusters.directory)
    assert {path for path in after if not path.startswith(".git/")} == {
        path for path in before if not path.startswith(".git/")
    }
    assert clusters.synth(check=True).is_current


def test_what_is_left_over_of_a_cluster_goes_too(clusters: Repository) -> None:
    (clusters.clusters / "one.yaml").unlink()
    removal = plan_removal(*FOLDERS, "one")
    assert removal.file is None
    remove(removal)
    assert clusters.synth(check=True).is_current


def test_the_last_cluster_can_be_removed(clusters: Repository) -> None:
    remove(plan_removal(*FOLDERS, "one"))
    (clusters.clusters / "two.yaml").write_text(
        (clusters.clusters / "two.yaml").read_text("utf-8").replace("live: 1.0.0", "live: none"),
        encoding="utf-8",
    )
    clusters.synth()
    clusters.commit()
    remove(plan_removal(*FOLDERS, "two"))
    assert [*clusters.clusters.iterdir(), *clusters.dist.iterdir()] == []


FIRST = "1.0.0 is live (main), so nothing is removed. First:"
THEN = (
    "  2. once Argo CD has synced that, and two-live is gone, delete the other Applications two-*, "
    "with what they installed or without\n"
    "  3. gpuplane remove two, and merge"
)


def test_a_live_cluster_is_refused_with_the_way_out(clusters: Repository) -> None:
    before = read_tree(clusters.directory)
    stated = message_of(StillLiveError, plan_removal, *FOLDERS, "two")
    assert read_tree(clusters.directory) == before
    _write(clusters, "two", live="none")
    clusters.synth()
    unmerged = message_of(StillLiveError, plan_removal, *FOLDERS, "two")
    (clusters.clusters / "two.yaml").unlink()
    gone = message_of(StillLiveError, plan_removal, *FOLDERS, "two")
    ways = [
        "set live: none in clusters/two.yaml, gpuplane synth, and merge",
        "merge live: none, as clusters/two.yaml says here, and fetch the main branch",
        "restore clusters/two.yaml, set live: none in clusters/two.yaml, gpuplane synth, and merge",
    ]
    assert [stated, unmerged, gone] == [f"two: {FIRST}\n  1. {way}\n{THEN}" for way in ways]


@pytest.mark.parametrize("name", ["fleet", "../one", "", "."])
@pytest.mark.usefixtures("clusters")
def test_what_is_no_cluster_is_refused(name: str) -> None:
    message = message_of(DistError, plan_removal, *FOLDERS, name)
    assert message.startswith(f'unknown cluster "{name}"; allowed: one, two')


def test_a_fault_in_another_file_leaves_everything(clusters: Repository) -> None:
    before = read_tree(clusters.directory)
    (clusters.clusters / "two.yaml").write_text("provider: onprem\n", encoding="utf-8")
    with pytest.raises(SpecError):
        plan_removal(*FOLDERS, "one")
    assert read_tree(clusters.dist) == {
        path.removeprefix("dist/"): content
        for path, content in before.items()
        if path.startswith("dist/")
    }
