"""Serves pages to browsers on this machine, and to nobody else.

A page of another site can have a browser send requests here, and by DNS rebinding it can even read
what comes back (https://en.wikipedia.org/wiki/DNS_rebinding). So requests must name this address.
"""

import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import typer

LOOPBACK = "127.0.0.1"
SECONDS = 10
"""Seconds that a client may take to send a request."""
MAX_CONNECTIONS = 64
"""Connections that are answered at once; a browser has 6 to a host."""
HTML = "text/html; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class LoopbackServer(ThreadingHTTPServer):
    """Serves on the loopback address, with a content security policy."""

    daemon_threads = True

    def __init__(self, handler: "type[LoopbackHandler]", policy: str, port: int) -> None:
        super().__init__((LOOPBACK, port), handler)
        self.policy = f"{policy}; frame-ancestors 'none'"
        self._free = threading.Semaphore(MAX_CONNECTIONS)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{host}:{self.server_port}" for host in (LOOPBACK, "localhost"))

    @property
    def url(self) -> str:
        return f"http://{self.names[0]}/"

    def verify_request(self, request: object, client_address: object) -> bool:  # noqa: ARG002 # as it came
        """Close a connection that there is no thread for."""
        return self._free.acquire(blocking=False)

    def process_request_thread(self, request: object, client_address: object) -> None:
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type] # as it came
        finally:
            self._free.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that went away before its answer was there."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # as it came


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers requests that name this address."""

    server: LoopbackServer
    timeout = SECONDS
    server_version = "gpuplane"
    sys_version = ""

    def parse_request(self) -> bool:
        """Refuse, whatever the method, what no browser sends that was asked for this address."""
        if not super().parse_request():
            return False
        if self.headers.get_all("Host", []) in [[name] for name in self.server.names]:
            return True
        self.refuse(HTTPStatus.FORBIDDEN, f"Host must be {' or '.join(self.server.names)}")
        return False

    def refuse(self, status: HTTPStatus, problem: str) -> None:
        # What is left of the request is not read, so that nothing can follow it.
        self.close_connection = True
        self.send(status, TEXT, f"{problem}\n".encode())

    def send(
        self, status: HTTPStatus, kind: str, content: bytes, more: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        own = {"Content-Security-Policy": self.server.policy, "Content-Type": kind}
        for name, value in {**_HEADERS, **own, **(more or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing: what is asked is nobody's business."""


def run_server(server_at: Callable[[int], LoopbackServer], port: int, subject: str) -> None:
    """Serve until Ctrl-C, and say where; raise BadParameter for a port that cannot be had."""
    try:
        server = server_at(port)
    except OSError as error:
        problem = f"{port}: {error.strerror}; 0 picks a free one"
        raise typer.BadParameter(problem, param_hint="--port") from error
    with server:
        typer.echo(f"{subject} at {server.url}; Ctrl-C ends it", err=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
