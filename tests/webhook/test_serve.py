from __future__ import annotations

import logging
import socket
from pathlib import Path

import pytest

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


def test_a_webhook_that_cannot_start_leaves_its_ports(tmp_path: Path) -> None:
    ports = (_free_port(), _free_port())
    with pytest.raises(ReloadError) as raised:
        serve(_options(tmp_path, *ports))
    # What was raised keeps the frames that held the sockets.
    assert raised.tb
    assert [_is_refused(port) for port in ports] == [True, True]


def test_a_port_that_is_taken_is_named_and_the_other_left(tmp_path: Path) -> None:
    port = _free_port()
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        with pytest.raises(ListenError) as raised:
            serve(_options(tmp_path, port, taken))
    assert str(raised.value).startswith(f"127.0.0.1:{taken}: Address already in use")
    assert _is_refused(port)
