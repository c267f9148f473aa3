"""Servers to measure, each in a process of its own on one core."""

import multiprocessing
import os
import signal
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import trustme
import uvicorn
from starlette.types import Receive, Scope, Send

from benchmarks.load import HOST
from benchmarks.reviewed import settings
from policies.settings_json import write_settings
from webhook.serve import serve
from webhook.serve_options import ServeOptions


@dataclass(frozen=True, slots=True)
class MeasuredServer:
    """A server that runs, with the processes that it has started."""

    port: int
    process: psutil.Process

    def cpu_seconds(self) -> float:
        times = [each.cpu_times() for each in self._processes()]
        return sum(each.user + each.system for each in times)

    def resident_bytes(self) -> int:
        return sum(each.memory_info().rss for each in self._processes())

    def _processes(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]


START_SECONDS = 20.0


def prepare(folder: Path) -> ssl.SSLContext:
    """Write settings and a throw-away certificate; return what a client trusts."""
    authority = trustme.CA()
    issued = authority.issue_cert(HOST)
    (folder / "tls.crt").write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))
    (folder / "tls.key").write_bytes(issued.private_key_pem.bytes())
    (folder / "settings.json").write_text(write_settings(settings()))
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@contextmanager
def serving(
    target: Callable[[Path, int], None], folder: Path, core: int
) -> Iterator[MeasuredServer]:
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    spawn = multiprocessing.get_context("spawn")
    process = spawn.Process(target=_on_core, args=(target, folder, port, core))
    process.start()
    try:
        _wait_for(port)
        yield MeasuredServer(port, psutil.Process(process.pid))
    finally:
        process.terminate()
        process.join()


def _on_core(target: Callable[[Path, int], None], folder: Path, port: int, core: int) -> None:
    os.sched_setaffinity(0, {core})
    target(folder, port)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            socket.create_connection((HOST, port)).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def serve_webhook(folder: Path, port: int) -> None:
    """Serve the webhook with its log in a file, as it is served in a cluster."""
    logs = folder / "logs"  # apart, since the webhook watches the folder of its settings
    logs.mkdir()
    log = os.open(logs / "log.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, sys.stdout.fileno())
    options = ServeOptions(
        folder / "settings.json",
        folder / "tls.crt",
        folder / "tls.key",
        host=HOST,
        port=port,
        drain_seconds=0,
    )
    serve(options)


def serve_echo(folder: Path, port: int) -> None:
    """Serve a bare ASGI application that sends every body back."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    uvicorn.run(
        _echo,
        host=HOST,
        port=port,
        http="httptools",
        loop="uvloop",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ssl_certfile=folder / "tls.crt",
        ssl_keyfile=folder / "tls.key",
    )


async def _echo(_scope: Scope, receive: Receive, send: Send) -> None:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
