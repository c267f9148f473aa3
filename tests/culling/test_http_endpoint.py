"""Requests for JSON to a server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from culling.http_endpoint import HttpEndpoint, HttpError

_OTHERS = {"page": b"<html>", "nested": b'{"a":' * 100_000 + b"{}" + b"}" * 100_000}


class _Echo(BaseHTTPRequestHandler):
    """Answers with the path as JSON, or as what is none."""

    def do_GET(self) -> None:
        content = _OTHERS.get(self.path.rpartition("/")[2])
        content = content or f'{{"at": "{self.path}"}}'.encode()
        self.send_response(404)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 # its parent's name
        pass


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/prefix/"
        server.shutdown()
        thread.join()


def test_what_a_server_says_is_returned_whatever_its_status(url: str) -> None:
    reply = HttpEndpoint(url).request("GET", "/api")
    assert (reply.status, reply.document) == (404, {"at": "/prefix/api"})


def test_what_is_not_json_is_no_answer(url: str) -> None:
    with pytest.raises(HttpError, match="GET"):
        HttpEndpoint(url).request("GET", "/page")


def test_what_is_nested_deeper_than_can_be_followed_is_no_answer(url: str) -> None:
    with pytest.raises(HttpError, match="nested too deeply"):
        HttpEndpoint(url).request("GET", "/nested")


@pytest.mark.parametrize("address", ["http://h:99999", "http://[::1", "http://a b"])
def test_what_is_no_address_does_not_answer(address: str) -> None:
    with pytest.raises(HttpError, match="GET"):
        HttpEndpoint(address).request("GET", "/")


def test_who_is_not_there_does_not_answer() -> None:
    with pytest.raises(HttpError, match="refused"):
        HttpEndpoint("http://127.0.0.1:1").request("GET", "/")
