"""Whether Argo CD syncs a cluster."""

import pytest

from gpuplane.versions.dist_error import DistError
from gpuplane.versions.liveness import Live, check_live_are_here, find_live
from gpuplane.versions.main_branch import MainBranch
from tests.gpuplane.versions.conftest import Repository

APPLICATION = "spec:\n  source:\n    path: dist/lab/{}/argocd\n"


def _write(repository: Repository, version: str | None = "1.0.0") -> None:
    file = repository.dist / "lab" / "live-application.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    (file.parent / "project.yaml").touch()
    if version is None:
        file.unlink()
    else:
        file.write_text(APPLICATION.format(version), encoding="utf-8")


def _live(repository: Repository) -> Live | None:
    return find_live(repository.dist, "lab", MainBranch(repository.dist))


@pytest.mark.parametrize("here", ["1.1.0", None])
def test_what_the_main_branch_says_is_live_whatever_is_here(
    repository: Repository, here: str | None
) -> None:
    _write(repository)
    repository.commit()
    _write(repository, here)
    assert _live(repository) == Live("1.0.0", "main")


def test_the_version_is_found_where_the_platform_is_a_folder_of_its_repository(
    repository: Repository,
) -> None:
    file = repository.dist / "lab" / "live-application.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(APPLICATION.replace("dist", "platform/gpus/dist").format("1.0.0"), "utf-8")
    repository.commit()
    assert _live(repository) == Live("1.0.0", "main")


def test_nothing_is_live_that_is_not_on_the_main_branch(repository: Repository) -> None:
    _write(repository)
    assert _live(repository) is None
    _write(repository, None)
    repository.commit()
    _write(repository)
    assert _live(repository) is None


def test_without_a_main_branch_the_disk_says_what_is_live(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _write(repository)
    repository.git("checkout", "-b", "feature")
    repository.commit()
    file = repository.dist / "lab" / "live-application.yaml"
    assert _live(repository) == Live("1.0.0", str(file))
    elsewhere = Repository(tmp_path_factory.mktemp("elsewhere"))
    assert _live(elsewhere) is None
    _write(elsewhere)
    file = elsewhere.dist / "lab" / "live-application.yaml"
    assert _live(elsewhere) == Live("1.0.0", str(file))


def test_a_live_application_that_was_edited_is_live(repository: Repository) -> None:
    file = repository.dist / "lab" / "live-application.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("path: elsewhere\n", encoding="utf-8")
    repository.commit()
    assert _live(repository) == Live("a version", "main")


def test_a_live_cluster_that_is_not_here_any_more_is_named(repository: Repository) -> None:
    _write(repository)
    repository.commit()
    main_branch = MainBranch(repository.dist)
    check_live_are_here(repository.dist, ("lab",), main_branch)
    with pytest.raises(DistError) as caught:
        check_live_are_here(repository.dist, ("other",), main_branch)
    assert str(caught.value) == (
        f"{repository.dist}/lab: gone, with the file of the cluster, while 1.0.0 is live (main); "
        "restore both from git; gpuplane remove lab then says how it is removed"
    )


def test_what_is_live_no_more_need_not_be_here(repository: Repository) -> None:
    _write(repository)
    _write(repository, None)
    repository.commit()
    check_live_are_here(repository.dist, (), MainBranch(repository.dist))


def test_the_folder_is_that_of_the_rendered_application(repository: Repository) -> None:
    repository.release()
    assert _live(repository) == Live("1.0.0", "main")
