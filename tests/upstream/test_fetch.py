import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from upstream.error import UpstreamError
from upstream.fetch import Mirror, Network, Source, fetch
from upstream.lock import LockedFile

COMMIT = "1" * 40
CONTENT = {"crds/a.yaml": b"a: 1\n", "schemas/b b.json": b"{}"}


def locked(file: str, content: bytes) -> LockedFile:
    digest = hashlib.sha256(content).hexdigest()
    return LockedFile(file, "owner/name", "v1", COMMIT, f"config/{file}", digest)


LOCK = tuple(locked(file, content) for file, content in CONTENT.items())


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for file, content in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(content)
    return folder


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # its parent's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join(timeout=10)
        server.server_close()


def test_a_mirror_gives_every_locked_file(tmp_path: Path) -> None:
    mirror = write(tmp_path / "mirror", {**CONTENT, "other": b""})
    assert fetch(LOCK, tmp_path / "destination", Mirror(mirror)) == len(LOCK)
    assert content_of(tmp_path / "destination") == CONTENT


def test_the_network_gives_each_file_of_a_repository_at_its_commit(tmp_path: Path) -> None:
    repository = tmp_path / "site" / "owner" / "name" / COMMIT / "config"
    write(repository, CONTENT)
    with served(tmp_path / "site") as base:
        fetch(LOCK, tmp_path / "destination", Network(base, timeout_seconds=5))
    assert content_of(tmp_path / "destination") == CONTENT


def test_every_missing_and_changed_file_is_reported_and_nothing_is_written(tmp_path: Path) -> None:
    mirror = write(tmp_path / "mirror", {"crds/a.yaml": b"a: 2\n"})
    destination = write(tmp_path / "destination", {"crds/a.yaml": b"as it was"})
    with pytest.raises(UpstreamError) as caught:
        fetch(LOCK, destination, Mirror(mirror))
    found = hashlib.sha256(b"a: 2\n").hexdigest()
    assert str(caught.value) == (
        f"{mirror}/crds/a.yaml: sha256 is {found}; the lock says {LOCK[0].sha256} "
        f"(owner/name@{COMMIT}:config/crds/a.yaml)\n"
        f"{mirror}/schemas/b b.json: not available (owner/name@{COMMIT}:config/schemas/b b.json): "
        "No such file or directory"
    )
    assert content_of(destination) == {"crds/a.yaml": b"as it was"}


def test_a_file_that_the_network_lacks_is_reported(tmp_path: Path) -> None:
    with served(write(tmp_path / "site", {})) as base, pytest.raises(UpstreamError) as caught:
        fetch(LOCK[:1], tmp_path / "destination", Network(base, timeout_seconds=5))
    assert str(caught.value) == (
        f"crds/a.yaml: not available (owner/name@{COMMIT}:config/crds/a.yaml): "
        "HTTP Error 404: File not found"
    )


def test_a_source_without_any_of_the_files_is_reported_once(tmp_path: Path) -> None:
    empty = write(tmp_path, {"empty/other": b"", "file": b""})
    with served(empty) as base:
        pass
    sources: dict[str, Source] = {
        f"{tmp_path}/none: no such folder": Mirror(tmp_path / "none"),
        f"{tmp_path}/file: is a file; allowed: a folder": Mirror(tmp_path / "file"),
        f"{tmp_path}/empty: has none of the 2 pinned files": Mirror(tmp_path / "empty"),
        f"{base}: cannot be reached: Connection refused; allowed: a folder, by --mirror": Network(
            base
        ),
    }
    for message, source in sources.items():
        with pytest.raises(UpstreamError) as caught:
            fetch(LOCK, tmp_path / "destination", source)
        assert str(caught.value) == message
    assert not (tmp_path / "destination").exists()


def test_what_git_did_to_the_ends_of_lines_is_told_with_the_remedy(tmp_path: Path) -> None:
    mirror = write(tmp_path / "mirror", {"crds/a.yaml": b"a: 1\r\n"})
    with pytest.raises(UpstreamError) as caught:
        fetch(LOCK[:1], tmp_path / "destination", Mirror(mirror))
    assert str(caught.value) == (
        f"{mirror}/crds/a.yaml: its lines end in CRLF, and those of the pinned file in LF "
        f"(owner/name@{COMMIT}:config/crds/a.yaml); allowed: in git, -text for it in .gitattributes"
    )


def test_a_destination_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    mirror = Mirror(write(tmp_path / "mirror", CONTENT))
    (tmp_path / "file").write_text("")
    messages = {
        "file": "is a file; allowed: a folder",
        "file/inner": "cannot be written: Not a directory",
    }
    for name, message in messages.items():
        with pytest.raises(UpstreamError) as caught:
            fetch(LOCK, tmp_path / name, mirror)
        assert str(caught.value) == f"{tmp_path}/{name}: {message}"
