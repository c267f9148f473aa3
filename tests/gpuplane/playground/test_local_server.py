"""What the local server answers, and to whom."""

import http.client
import json
import re
from collections.abc import Iterator, Mapping

import pytest

from gpuplane.playground.cluster_facts import PlaygroundFacts
from gpuplane.playground.local_server import MAX_BODY, LocalServer
from tests.gpuplane.playground.conftest import serving

JSON = {"Content-Type": "application/json"}
TOO_LONG = f"the question is longer than {MAX_BODY} bytes\n"
POD = "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: a, image: b}]}\n"
QUESTION = json.dumps({"cluster": "training", "manifest": POD, "namespace": ""})


@pytest.fixture(scope="module")
def server(training_facts: PlaygroundFacts) -> Iterator[LocalServer]:
    with serving(training_facts) as server:
        yield server


def _ask(
    server: LocalServer,
    method: str,
    path: str,
    headers: Mapping[str, str] | None = None,
    body: str | None = None,
) -> tuple[int, str, http.client.HTTPMessage]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    host = {"Host": f"127.0.0.1:{server.server_port}"}
    length = {} if body is None else {"Content-Length": str(len(body))}
    for name, value in {**host, **length, **(headers or {})}.items():
        connection.putheader(name, value)
    connection.endheaders(None if body is None else body.encode())
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text, response.headers


def test_it_serves_the_page_which_may_run_its_own_script_and_ask_it(server: LocalServer) -> None:
    status, page, headers = _ask(server, "GET", "/")
    assert (status, page.startswith("<!doctype html>")) == (200, True)
    policy = re.sub("'sha256-[^']*'", "HASH", headers["Content-Security-Policy"])
    assert policy == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; script-src HASH; style-src HASH; "
        "connect-src 'self'; frame-ancestors 'none'"
    )
    assert "Access-Control-Allow-Origin" not in headers


def test_it_answers_questions(server: LocalServer) -> None:
    status, text, _ = _ask(server, "POST", "/answer", JSON, QUESTION)
    answer = json.loads(text)
    assert status == 200
    assert [one["subject"] for one in answer["objects"]] == ["Pod"]


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1", "127.0.0.1:1", ""])
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("POST", "/answer")])
def test_another_host_is_refused(server: LocalServer, method: str, path: str, name: str) -> None:
    status, text, _ = _ask(server, method, path, {**JSON, "Host": name}, QUESTION)
    port = server.server_port
    assert (status, text) == (403, f"Host must be 127.0.0.1:{port} or localhost:{port}\n")


@pytest.mark.parametrize(
    ("headers", "status", "text"),
    [
        ({**JSON, "Origin": "https://evil.example"}, 403, "Origin must be this page\n"),
        ({**JSON, "Origin": "null"}, 403, "Origin must be this page\n"),
        ({"Content-Type": "text/plain"}, 403, "Content-Type must be application/json\n"),
        ({}, 403, "Content-Type must be application/json\n"),
        ({**JSON, "Content-Length": "-1"}, 411, "Content-Length is needed\n"),
        ({**JSON, "Content-Length": str(MAX_BODY + 1)}, 413, TOO_LONG),
        ({**JSON, "Content-Length": "9" * 5000}, 413, TOO_LONG),
    ],
)
def test_other_questions_are_refused(
    server: LocalServer, headers: Mapping[str, str], status: int, text: str
) -> None:
    assert _ask(server, "POST", "/answer", headers, QUESTION)[:2] == (status, text)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("{", "Input data was truncated\n"),
        (f'{{"more": {"[" * 200_000}', "the question is nested too deeply\n"),
        ('{"cluster": "training"}', "Object missing required field `manifest`\n"),
        (
            '{"cluster": "trainin", "manifest": ""}',
            'unknown cluster "trainin"; allowed: training; nearest: training\n',
        ),
    ],
)
def test_a_question_that_is_none_is_told(server: LocalServer, body: str, text: str) -> None:
    assert _ask(server, "POST", "/answer", JSON, body)[:2] == (400, text)


@pytest.mark.parametrize("path", ["/nothing", "/../pyproject.toml", "/answer", "/%2e%2e/"])
def test_only_the_playground_is_served(server: LocalServer, path: str) -> None:
    assert _ask(server, "GET", path)[:2] == (404, "there is nothing but /\n")
