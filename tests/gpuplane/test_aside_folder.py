from pathlib import Path

from gpuplane.aside_folder import STAGED_FILES, STAGED_VERSIONS, abandoned, aside_folder


def test_what_a_killed_command_left_is_removed_by_the_next(tmp_path: Path) -> None:
    killed = (tmp_path / f"{STAGED_VERSIONS}a", tmp_path / f"{STAGED_FILES}b")
    for each in killed:
        (each / "new").mkdir(parents=True)
    assert abandoned(tmp_path) == tuple(sorted(killed))
    with aside_folder(tmp_path, STAGED_FILES) as folder:
        assert list(tmp_path.iterdir()) == [folder]


def test_what_a_command_still_writes_is_not_abandoned(tmp_path: Path) -> None:
    with aside_folder(tmp_path, STAGED_VERSIONS) as first:
        with aside_folder(tmp_path, STAGED_VERSIONS) as second:
            assert {*tmp_path.iterdir()} == {first, second}
        assert abandoned(tmp_path) == (second,)


def test_what_was_moved_and_not_put_back_is_kept(tmp_path: Path) -> None:
    moved = tmp_path / f"{STAGED_VERSIONS}a" / "old" / "training" / "release.json"
    moved.parent.mkdir(parents=True)
    moved.touch()
    with aside_folder(tmp_path, STAGED_VERSIONS):
        assert moved.exists()
