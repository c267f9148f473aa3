import logging
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from policies.settings import Settings
from policies.settings_json import write_settings
from webhook.reloaded_files import ReloadError
from webhook.serve import ListenError, serve
from webhook.serve_options import ServeOptions


@pytest.fixture(autouse=True)
def server_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back afterwards what serving changes of the HTTP server's log."""
    log = logging.getLogger("uvicorn")
    for name in ("handlers", "level", "propagate"):
        monkeypatch.setattr(log, name, getattr(log, name))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def _options(folder: Path, port: int, operations_port: int) -> ServeOptions:
    missing = folder / "none"
    return ServeOptions(
        missing, missing, missing, host="127.0.0.1", port=port, operations_port=operations_port
    )


def _is_refused(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_webhook_that_cannot_start_leaves_its_ports_and_says_nothing_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: int
) -> None:
    ports = (_free_port(), _free_port())
    with pytest.raises(ReloadError) as raised:
        serve(replace(_options(tmp_path, *ports), workers=workers))
    # What was raised keeps the frames that held the sockets.
    assert raised.tb
    assert [_is_refused(port) for port in ports] == [True, True]
    assert capsys.readouterr().out == ""


def test_a_certificate_without_its_key_is_named_before_anything_listens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(write_settings(Settings(cluster="training")), encoding="utf-8")
    options = replace(_options(tmp_path, _free_port(), _free_port()), settings=settings)
    with pytest.raises(ReloadError, match="cannot be used with"):
        serve(options)
    assert capsys.readouterr().out == ""


def test_a_port_that_is_taken_is_named_and_the_other_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = _free_port()
    monkeypatch.setattr("webhook.serve._check_files", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(ListenError) as raised:
            serve(_options(tmp_path, port, taken))
    assert str(raised.value).startswith(f"127.0.0.1:{taken}: Address already in use")
    assert _is_refused(port)


def test_the_process_that_replaces_workers_imports_no_server() -> None:
    script = "import sys, webhook.serve; print({'fastapi', 'uvicorn', 'uvloop'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "set()\n"
