import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

ROOT = Path(__file__).parents[3]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let what is started be interrupted: a run in the background would hand on that it is not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_it_serves_the_page_on_loopback_until_ctrl_c() -> None:
    command = [sys.executable, "-m", "gpuplane", "-C", str(ROOT)]
    serving = subprocess.Popen(
        [*command, "playground", "training", "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    assert serving.stderr is not None
    try:
        said = serving.stderr.readline()
        url = said.removeprefix("the playground is at ").removesuffix("; Ctrl-C ends it\n")
        with urllib.request.urlopen(url, timeout=60) as response:  # noqa: S310 # it is on loopback
            page = response.read()
        serving.send_signal(signal.SIGINT)
        assert (serving.wait(timeout=60), serving.stderr.read()) == (0, "")
    finally:
        serving.kill()
        serving.wait()
        serving.stderr.close()
    assert url.startswith("http://127.0.0.1:")
    assert page.startswith(b"<!doctype html>")


def test_a_page_without_a_server_needs_pyodide(run: Run, tmp_path: Path) -> None:
    arguments = ("--static", tmp_path / "public", "--pyodide", tmp_path)
    assert run.refused("-C", ROOT, "playground", "training", *arguments) == (
        f"{tmp_path}: no pyodide.mjs; allowed: the npm package pyodide, as this has it: "
        "npm install pyodide@314.0.7\n"
    )
    assert not (tmp_path / "public").exists()


def test_a_port_that_is_in_use_is_named(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("-C", ROOT, "playground", "training", "--port", port)
    assert result.exit_code == 2
    told = f"{port}: Address already in use; 0 picks a free one"
    assert told in " ".join(result.stderr.replace("│", " ").split())
