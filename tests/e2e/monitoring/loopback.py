"""A small server of HTTP on loopback, in a thread of the tests."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_STOP_SECONDS = 10
_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request is answered with, as plain text."""

    text: str
    status: HTTPStatus = HTTPStatus.OK


@contextmanager
def serving(answer: Callable[[str, bytes], Reply]) -> Iterator[int]:
    """Answer requests by their path and body until the context ends; yield the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, body: bytes) -> None:
            reply = answer(self.path, body)
            self.send_response(reply.status)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(reply.text.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # its parent's name
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": _POLL_SECONDS}
        )
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join(_STOP_SECONDS)
