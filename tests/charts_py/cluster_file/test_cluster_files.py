import os
import re
from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import (
    ClusterFiles,
    checkout_folder,
    find_cluster_files,
    list_cluster_files,
    path_in_checkout,
)
from charts_py.cluster_file.fault import SpecError

PASSED_OVER = (
    ".east.yaml.swp",
    ".#east.yaml",
    "east.yaml~",
    "#east.yaml#",
    ".DS_Store",
    ".gitkeep",
    "README.md",
    "construct.py",
)
ALLOWED = "allowed: NAME.yaml, folders, *.md, *.py, and what editors leave: .*, *~, #*#"


def test_clusters_are_sorted_and_the_fleet_is_none_of_them(tmp_path: Path) -> None:
    for name in ("west.yaml", "fleet.yaml", "east.yaml", *PASSED_OVER):
        (tmp_path / name).touch()
    (tmp_path / "east.manifests").mkdir()
    assert find_cluster_files(tmp_path) == ClusterFiles(
        tmp_path / "fleet.yaml", (tmp_path / "east.yaml", tmp_path / "west.yaml")
    )


def test_a_fleet_may_be_absent(tmp_path: Path) -> None:
    (tmp_path / "east.yaml").touch()
    assert find_cluster_files(tmp_path) == ClusterFiles(None, (tmp_path / "east.yaml",))


def test_a_link_within_the_repository_is_read(tmp_path: Path) -> None:
    (tmp_path / "clusters").mkdir()
    (tmp_path / "elsewhere.yaml").touch()
    link = tmp_path / "clusters" / "east.yaml"
    link.symlink_to("../elsewhere.yaml")
    assert find_cluster_files(tmp_path / "clusters") == ClusterFiles(None, (link,))


def test_the_repository_is_that_of_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "platform" / "clusters").mkdir(parents=True)
    (tmp_path / "elsewhere.yaml").touch()
    link = tmp_path / "platform" / "clusters" / "east.yaml"
    link.symlink_to("../../elsewhere.yaml")
    assert find_cluster_files(link.parent) == ClusterFiles(None, (link,))


def test_a_folder_without_cluster_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "fleet.yaml").touch()
    message = f"{tmp_path}: no cluster file (*.yaml other than fleet.yaml)"
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(message)}$"):
        find_cluster_files(tmp_path)
    assert list_cluster_files(tmp_path) == ClusterFiles(tmp_path / "fleet.yaml", ())


@pytest.mark.parametrize(("name", "what"), [("missing", "no such folder"), ("file", "is a file")])
def test_what_is_no_folder_is_an_error(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "file").touch()
    message = f"{tmp_path}/{name}: {what}; allowed: a folder of cluster files"
    with pytest.raises(FileNotFoundError, match=f"^{re.escape(message)}$"):
        find_cluster_files(tmp_path / name)


def test_a_folder_that_is_a_link_out_of_the_repository_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "repository").mkdir()
    (tmp_path / "elsewhere").mkdir()
    clusters = tmp_path / "repository" / "clusters"
    clusters.symlink_to("../elsewhere")
    with pytest.raises(SpecError) as caught:
        find_cluster_files(clusters)
    assert str(caught.value) == (
        f"{clusters}:1: is a link to ../elsewhere, which is outside of the repository; "
        "allowed: a link to what is in the repository"
    )


def test_what_would_be_passed_over_is_a_fault(tmp_path: Path) -> None:
    clusters = tmp_path / "clusters"
    clusters.mkdir()
    (tmp_path.parent / "outside.yaml").touch()
    for name in ("east.yaml", "west.yml", "North.YAML", "fleet.yml", "east.json", "east.yaml.orig"):
        (clusters / name).touch()
    for name, target in {
        "copy.yaml": "east.yaml",
        "gone.yaml": "nowhere.yaml",
        "loop.yaml": "loop.yaml",
        "outside.yaml": "../../outside.yaml",
    }.items():
        (clusters / name).symlink_to(target)
    (clusters / "folder.yaml").mkdir()
    os.mkfifo(clusters / "pipe.yaml")
    with pytest.raises(SpecError) as caught:
        find_cluster_files(clusters)
    unread = f"is not read, since its name does not end in .yaml; {ALLOWED}"
    in_repository = "allowed: a link to what is in the repository"
    assert str(caught.value).replace(f"{clusters}/", "").splitlines() == [
        f"North.YAML:1: {unread}; nearest: North.yaml",
        (
            "copy.yaml:1: is a link to the same file as east.yaml; "
            "allowed: a file for each cluster; what they share stands in fleet.yaml"
        ),
        f"east.json:1: {unread}",
        f"east.yaml.orig:1: {unread}",
        f"fleet.yml:1: {unread}; nearest: fleet.yaml",
        (
            "folder.yaml:1: is a folder, but has the name of a cluster file; "
            "allowed: a file, or a folder of another name such as folder"
        ),
        f"gone.yaml:1: is a link to nowhere.yaml, where nothing is; {in_repository}",
        f"loop.yaml:1: is a link to loop.yaml, which leads back to itself; {in_repository}",
        (
            "outside.yaml:1: is a link to ../../outside.yaml, which is outside of the repository; "
            f"{in_repository}"
        ),
        f"pipe.yaml:1: is neither a file nor a folder; {ALLOWED}",
        f"west.yml:1: {unread}; nearest: west.yaml",
    ]


def test_two_links_to_one_file_are_faults(tmp_path: Path) -> None:
    clusters = tmp_path / "clusters"
    clusters.mkdir()
    (tmp_path / "one.yaml").touch()
    for name in ("east", "west"):
        (clusters / f"{name}.yaml").symlink_to("../one.yaml")
    with pytest.raises(SpecError) as caught:
        find_cluster_files(clusters)
    allowed = "allowed: a file for each cluster; what they share stands in fleet.yaml"
    assert str(caught.value).replace(f"{clusters}/", "").splitlines() == [
        f"east.yaml:1: is a link to the same file as west.yaml; {allowed}",
        f"west.yaml:1: is a link to the same file as east.yaml; {allowed}",
    ]


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    folder = tmp_path / "outer" / "inner"
    folder.mkdir(parents=True)
    return folder


def test_the_nearest_checkout_is_found_upwards(inner: Path) -> None:
    (inner.parents[1] / ".git").mkdir()
    assert checkout_folder(inner) == inner.parents[1].resolve()
    (inner.parent / ".git").write_text("gitdir: ../gone\n", encoding="utf-8")
    assert checkout_folder(inner) == inner.parent.resolve()
    (inner / ".git").symlink_to("/gone")
    assert checkout_folder(inner) == inner.resolve()


def test_a_link_is_resolved_first(inner: Path, tmp_path: Path) -> None:
    (inner.parent / ".git").mkdir()
    link = tmp_path / "link"
    link.symlink_to(inner)
    assert checkout_folder(link) == inner.parent.resolve()


def test_outside_of_git_there_is_none(inner: Path) -> None:
    assert checkout_folder(inner) is None


def test_a_path_in_a_checkout_begins_at_its_root_and_need_not_exist(inner: Path) -> None:
    assert path_in_checkout(inner) is None
    (inner.parent / ".git").mkdir()
    paths = [path_in_checkout(each) for each in (inner.parent, inner, inner / "new")]
    assert paths == [".", "inner", "inner/new"]
