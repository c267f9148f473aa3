"""The versions that the main branch had Argo CD sync."""

import shutil

import pytest

from gpuplane.versions.live_versions import latest_live
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.tree import DistError
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import Repository


@pytest.fixture
def grown(repository: Repository) -> Repository:
    """A repository whose main branch merged 1.1.0, which is live; HEAD is on a branch of it."""
    repository.release()
    repository.git("checkout", "-b", "more")
    repository.render(version="1.1.0", gpus=16)
    repository.commit()
    repository.git("checkout", "main")
    repository.git("merge", "--no-ff", "more")
    repository.git("checkout", "-b", "change")
    return repository


def test_the_latest_two_that_were_live_are_needed(grown: Repository) -> None:
    main = MainBranch(grown.dist).commit
    assert main is not None
    assert latest_live(main, grown.dist, "lab") == ("1.1.0", "1.0.0")


def test_a_revert_that_deletes_what_is_live_is_refused_with_the_way_on(grown: Repository) -> None:
    grown.git("revert", "--no-edit", "--mainline", "1", "HEAD")
    folder = grown.dist / "lab" / "1.1.0"
    assert message_of(DistError, grown.synth, check=True) == (
        f"{folder}: gone, while 1.1.0 is live (main); bring it back, and cut the next version: "
        f"git restore --source main -- {folder} && gpuplane release lab"
    )
    grown.git("restore", "--source", "main", "--", str(folder))
    grown.synth()
    assert grown.synth(check=True).is_current


def test_deleting_the_previously_live_version_is_refused(grown: Repository) -> None:
    grown.render(version="1.2.0", gpus=24)
    grown.commit()
    grown.git("checkout", "main")
    grown.git("merge", "--no-ff", "change")
    grown.git("checkout", "-b", "clean-up")
    shutil.rmtree(grown.dist / "lab" / "1.0.0")
    grown.synth()
    folder = grown.dist / "lab" / "1.1.0"
    shutil.rmtree(folder)
    assert message_of(DistError, grown.synth) == (
        f"{folder}: gone, though it is what 1.2.0 (main) goes back to; bring it back: "
        f"git restore --source main -- {folder}"
    )
