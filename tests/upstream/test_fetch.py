import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from upstream.fetch import Mirror, Network, Source, fetch, files_of_charts, write_chart
from upstream.lock import LockedFile, UpstreamError, committed_lock, locked_chart

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


REMEDY = "get the charts where there is a network: gpuplane upstream fetch --network --charts --to"
AMDS = "gpu-operator-charts"
FILES = {
    "charts/operator/Chart.yaml": b"name: operator\nversion: 0.0.0\nappVersion: main\n",
    "charts/operator/templates/a.yaml": b"kind: List\n",
}


def _locked(file: str, content: bytes) -> LockedFile:
    pinned = locked(file, content)
    if not file.endswith("Chart.yaml"):
        return pinned
    return replace(pinned, chart="operator", chart_version="v1.2.0", app_version="v1.2.1")


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lock = tuple(_locked(file, content) for file, content in FILES.items())
    for module in ("fetch", "lock"):
        monkeypatch.setattr(f"upstream.{module}.committed_lock", lambda: lock)
    return write(tmp_path / "mirror", FILES)


def test_a_chart_is_its_pinned_files_and_nothing_else(mirror: Path, tmp_path: Path) -> None:
    (mirror / "charts/operator/templates/other.yaml").write_text("kind: Secret\n")
    folder = write_chart("operator", mirror, tmp_path / "to")
    assert folder == tmp_path / "to" / "charts/operator"
    assert content_of(tmp_path / "to").keys() == FILES.keys()


def test_a_chart_depends_on_none_that_is_not_beside_it(mirror: Path, tmp_path: Path) -> None:
    described = FILES["charts/operator/Chart.yaml"] + b"dependencies: [{name: cache}]\n"
    (mirror / "charts/operator/Chart.yaml").write_bytes(described)
    with pytest.MonkeyPatch.context() as patch:
        lock = (
            _locked("charts/operator/Chart.yaml", described),
            *(_locked(file, content) for file, content in FILES.items() if "templates" in file),
        )
        for module in ("fetch", "lock"):
            patch.setattr(f"upstream.{module}.committed_lock", lambda: lock)
        folder = write_chart("operator", mirror, tmp_path / "to")
    assert yaml.safe_load((folder / "Chart.yaml").read_text())["dependencies"] == []


@pytest.mark.parametrize(
    ("is_released", "versions"), [(True, ("v1.2.0", "v1.2.1")), (False, ("0.0.0", "main"))]
)
def test_only_a_released_chart_has_the_versions_of_its_repository(
    mirror: Path, tmp_path: Path, is_released: bool, versions: tuple[str, str]
) -> None:
    folder = write_chart("operator", mirror, tmp_path / "to", is_released=is_released)
    described = yaml.safe_load((folder / "Chart.yaml").read_text("utf-8"))
    assert (described["version"], described["appVersion"]) == versions


def test_another_file_than_the_pinned_one_is_refused_with_both_digests(
    mirror: Path, tmp_path: Path
) -> None:
    (mirror / "charts/operator/templates/a.yaml").write_bytes(b"")
    with pytest.raises(UpstreamError) as refused:
        write_chart("operator", mirror, tmp_path / "to")
    pinned = hashlib.sha256(b"kind: List\n").hexdigest()
    assert str(refused.value) == (
        f"{mirror}/charts/operator/templates/a.yaml: sha256 is {hashlib.sha256(b'').hexdigest()}; "
        f"the lock says {pinned} "
        f"(owner/name@{COMMIT}:config/charts/operator/templates/a.yaml); {REMEDY} {mirror}"
    )


def test_several_faults_have_the_remedy_below_them(mirror: Path, tmp_path: Path) -> None:
    for file in FILES:
        (mirror / file).write_bytes(b"")
    with pytest.raises(UpstreamError) as refused:
        write_chart("operator", mirror, tmp_path / "to")
    first, second, remedy = str(refused.value).splitlines()
    assert first.startswith(f"{mirror}/charts/operator/Chart.yaml: sha256 is ")
    assert second.startswith(f"{mirror}/charts/operator/templates/a.yaml: sha256 is ")
    assert remedy == f"{REMEDY} {mirror}"


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize(
    ("name", "what", "folder"),
    [
        ("none", "no such folder", "{}"),
        ("empty", "has no chart operator v1.2.0", "{}"),
        ("an empty one", "has no chart operator v1.2.0", "'{}'"),
        ("file", "is a file; allowed: a folder", "FOLDER"),
    ],
)
def test_a_mirror_without_the_chart_is_told_once(
    tmp_path: Path, name: str, what: str, folder: str
) -> None:
    (tmp_path / "file").write_text("")
    for made in ("empty", "an empty one"):
        (tmp_path / made).mkdir()
    named = tmp_path / name
    with pytest.raises(UpstreamError) as refused:
        write_chart("operator", named, tmp_path / "to")
    assert str(refused.value) == f"{named}: {what}; {REMEDY} {folder.format(named)}"


def test_all_that_a_chart_renders_is_pinned() -> None:
    """A file that is not would be missing in what is rendered, and nothing would tell.

    AMD's chart is not rendered.
    """
    if (named := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    pinned = {each.file for each in files_of_charts()}
    charts = {each.chart for each in committed_lock() if each.chart is not None} - {AMDS}
    found = {
        file.relative_to(named).as_posix()
        for chart in charts
        for folder in ("templates", "crds", "charts")
        for file in Path(named, locked_chart(chart).folder, folder).rglob("*")
        if file.is_file() and file.name != "NOTES.txt"
    }
    assert sorted(found - pinned) == []
    assert found


def test_a_chart_stands_beside_its_description() -> None:
    assert str(locked_chart("gpu-operator").folder) == "charts/gpu-operator"
