import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gpuplane.lint.cache import CacheStore, cache_folder, digest


def test_parts_make_another_name_wherever_they_are_divided() -> None:
    names = {digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", ""), digest(b"x")}
    assert len(names) == 5


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    store = CacheStore(tmp_path / "cache").below("run")
    assert store.read("key") is None
    store.write("key", "text \N{SNOWMAN}")
    assert store.read("key") == "text \N{SNOWMAN}"
    assert [each.name for each in (tmp_path / "cache" / "run").iterdir()] == ["key"]


@pytest.mark.parametrize(
    "folder", [None, Path(__file__) / "cache"], ids=["no folder", "one that cannot be written"]
)
def test_a_store_without_a_folder_keeps_nothing(folder: Path | None) -> None:
    store = CacheStore(folder).below("run")
    store.write("key", "text")
    store.mark_used()
    assert store.read("key") is None


def test_two_that_write_at_once_leave_what_one_of_them_wrote(tmp_path: Path) -> None:
    store = CacheStore(tmp_path)
    texts = [letter * 100_000 for letter in "abcd"]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda text: store.write("key", text), texts * 5))
    assert store.read("key") in texts


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept", encoding="utf-8")
    (tmp_path / f".key-{os.getpid()}").symlink_to(victim)
    store = CacheStore(tmp_path)
    store.write("key", "text")
    assert (store.read("key"), victim.read_text("utf-8")) == (None, "kept")


@pytest.mark.parametrize(
    "text", ["", "[]", "[[], 0, {}, {}]", "null", f"{digest('text')}\\nte", f"{digest('text')}"]
)
def test_what_somebody_else_has_written_is_not_there(tmp_path: Path, text: str) -> None:
    store = CacheStore(tmp_path)
    store.write("key", "text")
    (tmp_path / "key").write_text(text, encoding="utf-8")
    assert store.read("key") is None


def test_a_named_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "key")
    assert CacheStore(tmp_path).read("key") is None


def test_only_its_owner_reads_the_folder(tmp_path: Path) -> None:
    CacheStore(tmp_path / "cache").write("key", "text")
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_what_nobody_has_used_for_two_weeks_is_removed_and_what_others_keep_stays(
    tmp_path: Path,
) -> None:
    used, recent, old = (digest(name) for name in ("used", "recent", "old"))
    two_weeks_ago = time.time() - 15 * 86_400
    for name in (used, recent, old, "rules"):
        CacheStore(tmp_path / name).write("key", "text")
        if name != recent:
            os.utime(tmp_path / name, (two_weeks_ago, two_weeks_ago))
    CacheStore(tmp_path / used).mark_used()
    assert {each.name for each in tmp_path.iterdir()} == {recent, used, "rules"}


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"GPUPLANE_CACHE": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, Path("/a/lint")),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, Path("/b/gpuplane/lint")),
        ({"HOME": "/c"}, Path("/c/.cache/gpuplane/lint")),
        ({}, None),
    ],
)
def test_the_folder_is_the_users_unless_another_one_is_named(
    environment: dict[str, str], folder: Path | None
) -> None:
    assert cache_folder(environment) == folder
