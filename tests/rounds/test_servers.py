"""What the servers are asked, what they answer, and what is not acted upon."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from typing_extensions import override

from charts_py.components.idle_gpus.objects import ROUNDS
from rounds.servers import _PAGE, HttpEndpoint, HttpError, Prometheus, PrometheusError, Reply, Row

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


@pytest.mark.parametrize(("path", "said"), [("/page", "GET"), ("/nested", "nested too deeply")])
def test_what_is_not_json_or_nested_too_deeply_is_no_answer(url: str, path: str, said: str) -> None:
    with pytest.raises(HttpError, match=said):
        HttpEndpoint(url).request("GET", path)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://h:99999", "GET"),
        ("http://[::1", "GET"),
        ("http://a b", "GET"),
        ("http://127.0.0.1:1", "refused"),
    ],
)
def test_what_is_no_address_or_not_there_does_not_answer(address: str, said: str) -> None:
    with pytest.raises(HttpError, match=said):
        HttpEndpoint(address).request("GET", "/")


_LARGEST_MIB = 1.5
"""What etcd takes of one object: `--max-request-bytes`, by default."""
_TIMES = 9
"""The answer, its text and its strings, these of four bytes a character."""


def test_a_page_of_the_largest_objects_fits_into_half_of_what_a_round_has() -> None:
    job = ROUNDS.cron_job("registry.example.com/gpuplane:1", ())["spec"]["jobTemplate"]["spec"]
    (container,) = job["template"]["spec"]["containers"]
    has_mib = int(container["resources"]["limits"]["memory"].removesuffix("Mi"))
    assert has_mib / 2 >= _PAGE * _LARGEST_MIB * _TIMES


_NO_NUMBERS = ("NaN", "+Inf", "-Inf", "-1", "1e30")
VECTOR = {"result": [{"metric": {"pod": "a"}, "value": [1800000000.5, "3"]}]}


@dataclass(frozen=True, slots=True)
class Answering(HttpEndpoint):
    """Answers everything alike; without an answer not at all."""

    status: int = 200
    document: dict[str, Any] = field(default_factory=dict)

    @override
    def request(self, method: str, path: str, body: object = None, content_type: str = "") -> Reply:
        if not self.document:
            raise HttpError("refused")
        return Reply(self.status, self.document)


def test_a_row_has_labels_value_and_time() -> None:
    answering = Answering("", document={"status": "success", "data": VECTOR})
    assert Prometheus(answering).rows("up") == (Row({"pod": "a"}, 3, 1800000000.5),)


@pytest.mark.parametrize(
    ("status", "document"),
    [
        (200, {}),
        (503, {"status": "error", "error": "starting"}),
        (200, {"status": "success", "data": VECTOR, "warnings": ["a store is missing"]}),
        (200, {"status": "success", "data": {}}),
        (200, {"status": "success", "data": {"result": [{"metric": {}}]}}),
    ],
    ids=["silent", "not ready", "in part", "of another kind", "without values"],
)
def test_what_is_no_whole_answer_is_no_answer(status: int, document: dict[str, Any]) -> None:
    with pytest.raises(PrometheusError):
        Prometheus(Answering("", status=status, document=document)).rows("up")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        *(({"value": [1800000000.5, each]}, "no number") for each in _NO_NUMBERS),
        ({"metric": None}, "no vector"),
        ({"metric": ["namespace"]}, "no vector"),
        ({"value": [1e300, "1"]}, "no vector"),
    ],
)
def test_a_row_without_labels_time_or_a_number_of_gpus_or_minutes_is_no_answer(
    changed: dict[str, Any], said: str
) -> None:
    result = [{"metric": {"pod": "a"}, "value": [1800000000.5, "1"], **changed}]
    answering = Answering("", document={"status": "success", "data": {"result": result}})
    with pytest.raises(PrometheusError, match=said):
        Prometheus(answering).rows("up")
