"""The nearest folder with a `.git`."""

from pathlib import Path

import pytest

from charts_py.cluster_file.checkout_folder import checkout_folder, path_in_checkout


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A folder in a folder."""
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
