"""Deleting old versions."""

import shutil

import pytest

from gpuplane.release.pruning import PrunedVersion, PruneRequest, Pruning, plan_pruning, prune
from gpuplane.versions.tree import DistError, read_tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.release.conftest import Chain, RecordedChain, RenderedChain
from tests.gpuplane.versions.conftest import run_git


@pytest.fixture
def versions(chain: RecordedChain) -> RecordedChain:
    """Training has had 1.0.0, 1.2.0-rc.1 and 1.2.0 live, and names 1.3.0, which is not live."""
    for version, live in [("1.2.0-rc.1", "1.2.0-rc.1"), ("1.2.0", "1.2.0"), ("1.3.0", "1.2.0")]:
        chain.write("training", version, live)
        chain.commit()
    return chain


def _planned(chain: Chain, keep: int) -> Pruning:
    return plan_pruning(PruneRequest(chain.clusters, chain.dist, keep, ("training",)))


@pytest.mark.parametrize(("keep", "deleted"), [(0, ("1.1.0", "1.0.0")), (1, ("1.0.0",)), (2, ())])
def test_what_nothing_needs_goes_but_for_the_latest(
    versions: RecordedChain, keep: int, deleted: tuple[str, ...]
) -> None:
    pruning = _planned(versions, keep)
    (found,) = pruning.clusters
    latest = f"kept by --keep {keep}"
    kept = {
        "1.3.0": "rendered",
        "1.2.0": "live",
        "1.2.0-rc.1": "live before, to go back to (main)",
        **{each: latest for each in ("1.1.0", "1.0.0") if each not in deleted},
    }
    assert (found.kept, found.deleted) == (
        kept,
        tuple(PrunedVersion(each, is_on_main_branch=True) for each in deleted),
    )
    assert pruning.is_empty == (not deleted)


def test_a_cluster_file_says_how_many_stay_where_the_command_does_not(
    versions: RecordedChain,
) -> None:
    request = PruneRequest(versions.clusters, versions.dist, names=("training",))
    assert message_of(DistError, plan_pruning, request) == (
        f"{versions.clusters / 'training.yaml'}: nothing says how many versions of training to "
        "keep; give --keep N, or set promotion.keep in clusters/fleet.yaml"
    )
    versions.write_fleet("  keep: 1\n")
    (found,) = plan_pruning(request).clusters
    assert (found.kept["1.1.0"], found.deleted) == (
        "kept by promotion.keep: 1",
        (PrunedVersion("1.0.0", is_on_main_branch=True),),
    )


def test_a_folder_that_is_no_version_is_not_ours_to_delete(versions: RecordedChain) -> None:
    folder = versions.dist / "training"
    shutil.copytree(folder / "1.0.0", folder / "backup")
    (found,) = _planned(versions, 0).clusters
    assert "backup" not in {*found.kept, *(each.version for each in found.deleted)}


def test_what_is_live_on_another_branch_stays(versions: RecordedChain) -> None:
    run_git(versions.directory, "checkout", "-b", "hotfix")
    versions.write("training", "1.3.0", "1.1.0")
    versions.commit()
    run_git(versions.directory, "checkout", "main")
    (found,) = _planned(versions, 0).clusters
    assert found.kept["1.1.0"] == "live on hotfix"


@pytest.fixture
def renamed(rendered: RenderedChain) -> RenderedChain:
    """Training runs 1.4.0 after 1.3.0; since then its team has another namespace than before."""
    for version, gpus in (("1.3.0", 24), ("1.4.0", 32)):
        rendered.write("training", version=version, live=version, gpus=gpus)
        file = rendered.clusters / "training.yaml"
        text = file.read_text("utf-8").replace("      research:", "      robotics:")
        file.write_text(text, encoding="utf-8")
        rendered.synth()
        rendered.commit()
    return rendered


def test_what_is_deleted_is_accepted_and_argo_cd_may_no_longer_do_what_it_needed(
    renamed: RenderedChain,
) -> None:
    before = read_tree(renamed.dist)
    prune(_planned(renamed, 0))
    after = read_tree(renamed.dist)
    project = "training/project.yaml"
    gone = ("training/1.1.0/", "training/1.2.0/")
    assert {path for path in before if path not in after} == {
        path for path in before if path.startswith(gone)
    }
    assert {path for path in after if after[path] != before[path]} == {project}
    assert [b"namespace: research\n" in tree[project] for tree in (before, after)] == [True, False]
    assert renamed.synth(check=True).is_current
    assert _planned(renamed, 0).is_empty
