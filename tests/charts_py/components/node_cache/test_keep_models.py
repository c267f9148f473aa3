"""The script that keeps models on a node, for real: what it downloads comes from a server."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from time import sleep

import pytest

SCRIPT = (files("charts_py.components.node_cache") / "keep_models.sh").read_text("utf-8")
DOWNLOADER = """\
#!{python}
import sys, urllib.request
address, folder = sys.argv[1:]
with open("{log}", "a") as log:
    print(address, file=log)
for name in ("config.json", "weights.safetensors"):
    urllib.request.urlretrieve(f"{{address}}/{{name}}", f"{{folder}}/{{name}}")
"""
"""It stands in for the program of the image, and leaves half a file where a server goes away."""
MIB = 2**20
Run = Callable[..., subprocess.Popen[str]]


class _Server(SimpleHTTPRequestHandler):
    """A server of files that sends half of one whose name says so, and then ends or waits."""

    def log_message(self, *_: object) -> None:
        pass

    def copyfile(self, source: object, outputfile: object) -> None:
        content = source.read()  # type: ignore[attr-defined]
        is_half = "/broken/" in self.path or "/slow/" in self.path
        outputfile.write(content[: len(content) // 2] if is_half else content)  # type: ignore[attr-defined]
        if "/slow/" in self.path:
            self.rfile.read()  # which ends once nobody downloads any more


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    for name in ("qwen", "ranking", "broken", "slow"):
        folder = tmp_path / "server" / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
        (folder / "weights.safetensors").write_bytes(os.urandom(MIB))
    handler = partial(_Server, directory=str(tmp_path / "server"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def keep(tmp_path: Path) -> Iterator[Run]:
    """Return the function that starts the script with models, each a name, source and bytes."""
    programs = tmp_path / "bin"
    programs.mkdir()
    log = tmp_path / "downloads"
    log.touch()
    stands_in = {
        "downloader": DOWNLOADER.format(python=sys.executable, log=log),
        # Nothing is waited for but downloads.
        "sleep": "#!/bin/sh\nexec /bin/sleep 0.05\n",
    }
    for name, text in stands_in.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    models = tmp_path / "models"
    models.mkdir()
    started = []

    def start(*told: str) -> subprocess.Popen[str]:
        words = (str(models), str(tmp_path / "ready"), str(programs / "downloader"), *told)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        process = subprocess.Popen(  # the script itself
            ["/bin/sh", "-c", SCRIPT, "node-cache", *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            # As the kubelet does it: by the first process of the container.
            process.terminate()
        process.communicate()


def _until(fact: Callable[[], bool]) -> None:
    while not fact():
        sleep(0.02)


def _said(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout is not None
    while words not in (line := process.stdout.readline()):
        assert line, f"it ended without {words}"


def _kept(tmp_path: Path) -> dict[str, list[str]]:
    return {
        folder.name: sorted(file.name for file in folder.iterdir())
        for folder in sorted((tmp_path / "models").iterdir())
        if folder.is_dir()
    }


WHOLE = ["config.json", "weights.safetensors"]


def _all_kept(keep: Run, tmp_path: Path, *told: str) -> None:
    """Start the script, and stop it as the kubelet does once it has everything."""
    (tmp_path / "ready").unlink(missing_ok=True)
    process = keep(*told)
    _until((tmp_path / "ready").exists)
    process.terminate()
    assert process.wait() == 0


def test_it_downloads_each_model_once(keep: Run, tmp_path: Path, address: str) -> None:
    told = ("qwen", f"{address}/qwen", str(2 * MIB), "ranking", f"{address}/ranking", str(2 * MIB))
    for _ in range(2):
        _all_kept(keep, tmp_path, *told)
    assert _kept(tmp_path) == {"qwen": WHOLE, "ranking": WHOLE}
    assert (tmp_path / "downloads").read_text().split() == [f"{address}/qwen", f"{address}/ranking"]
    modes = {(tmp_path / "models/qwen" / name).stat().st_mode & 0o777 for name in ("", *WHOLE)}
    assert modes == {0o755, 0o644}


def test_a_model_that_is_no_longer_listed_goes(keep: Run, tmp_path: Path, address: str) -> None:
    ranking = ("ranking", f"{address}/ranking", str(2 * MIB))
    _all_kept(keep, tmp_path, "qwen", f"{address}/qwen", str(2 * MIB), *ranking)
    _all_kept(keep, tmp_path, *ranking)
    assert _kept(tmp_path) == {"ranking": WHOLE}
    assert [one.name for one in (tmp_path / "models").iterdir() if "qwen" in one.name] == []


def test_half_a_download_is_never_where_pods_read(keep: Run, tmp_path: Path, address: str) -> None:
    process = keep("broken", f"{address}/broken", str(2 * MIB))
    _said(process, "broken could not be downloaded")
    assert not (tmp_path / "models/broken").exists()
    assert not (tmp_path / "ready").exists()


def test_a_daemon_that_ends_ends_its_download(keep: Run, tmp_path: Path, address: str) -> None:
    process = keep("slow", f"{address}/slow", str(2 * MIB))
    _until(lambda: (tmp_path / "downloads").read_text() != "")
    process.terminate()
    assert process.stdout is not None
    process.stdout.read()  # which ends with the last program that could write there
    assert process.wait() == 0
    assert not (tmp_path / "models/slow").exists()


def test_what_a_killed_daemon_left_goes_before_it_downloads_anew(
    keep: Run, tmp_path: Path, address: str
) -> None:
    half = tmp_path / "models/.qwen.part"
    half.mkdir()
    (half / "of-before").touch()
    _all_kept(keep, tmp_path, "qwen", f"{address}/qwen", str(2 * MIB))
    assert _kept(tmp_path) == {"qwen": WHOLE}


def test_a_model_that_fails_does_not_hold_up_others(
    keep: Run, tmp_path: Path, address: str
) -> None:
    keep("broken", f"{address}/broken", str(2 * MIB), "qwen", f"{address}/qwen", str(2 * MIB))
    _until((tmp_path / "models/qwen").exists)
    assert not (tmp_path / "models/broken").exists()


def test_what_is_larger_than_its_size_is_not_kept(keep: Run, tmp_path: Path, address: str) -> None:
    process = keep("qwen", f"{address}/qwen", str(MIB // 2))
    _said(process, "qwen could not be downloaded")
    assert not (tmp_path / "models/qwen").exists()


def test_a_disk_without_room_is_left_alone(keep: Run, tmp_path: Path, address: str) -> None:
    process = keep("qwen", f"{address}/qwen", str(2**60))
    _said(process, "qwen needs 1125899906842624 KiB, and the disk has ")
    process.kill()
    assert (tmp_path / "downloads").read_text() == ""


def test_another_source_needs_another_name(keep: Run, tmp_path: Path, address: str) -> None:
    _all_kept(keep, tmp_path, "qwen", f"{address}/qwen", str(2 * MIB))
    process = keep("qwen", f"{address}/ranking", str(2 * MIB))
    _said(process, "qwen is here from another source")
    assert _kept(tmp_path) == {"qwen": WHOLE}
    assert (tmp_path / "downloads").read_text().split() == [f"{address}/qwen"]
