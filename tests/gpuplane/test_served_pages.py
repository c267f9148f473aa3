"""The pages of the documentation in a browser."""

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

import pytest

from gpuplane.loopback_server import LOOPBACK, LoopbackServer
from gpuplane.pages import page_names, page_text
from gpuplane.served_pages import page_html, page_server, served_file


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with page_server(0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def url(server: LoopbackServer) -> str:
    return server.url


def _get(url: str | Request) -> tuple[int, str]:
    try:
        with urlopen(url) as answer:  # noqa: S310 # the scheme is http
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_every_page_is_served_and_the_first_is_the_list_of_pages(url: str) -> None:
    wrong = [name for name in page_names() if _get(f"{url}{name}.md")[0] != 200]
    assert (wrong, _get(url)) == ([], _get(f"{url}contents.md"))


def test_the_links_of_the_list_lead_to_pages(url: str) -> None:
    links = re.findall(r'href="([^"#:]+\.md)', _get(url)[1])
    assert len(links) > 30
    assert [link for link in links if _get(urljoin(url, link))[0] != 200] == []


def test_links_between_pages_lead_to_headings() -> None:
    pages = {name: page_html(page_text(name)) for name in page_names()}
    lost = []
    for name, html in pages.items():
        for link, anchor in re.findall(r'href="([^":]*)#([^"]+)"', html):
            target = urljoin(f"/{name}.md", link)[1:].removesuffix(".md") if link else name
            if target in pages and f'id="{anchor}"' not in pages[target]:
                lost.append(f"{name}: {link}#{anchor}")
    assert lost == []


def test_every_link_leads_to_what_an_installation_has() -> None:
    pages = {name: page_html(page_text(name), f"{name}.md") for name in page_names()}
    lost = [
        f"{name}: {link}"
        for name, html in pages.items()
        for link in re.findall(r'(?:href|src)="([^":#]+)(?:#[^"]*)?"', html)
        if link != "/" and served_file(urljoin(f"/{name}.md", link).lstrip("/")) is None
    ]
    assert lost == []


def test_a_link_to_a_file_of_the_repository_alone_is_text() -> None:
    page = page_html(
        "[a](../tests/conftest.py) [b](plan.md) [c](#d) [e](https://example.org)", "x.md"
    )
    assert page.endswith(
        '<p>a <a href="plan.md">b</a> <a href="#d">c</a> '
        '<a href="https://example.org">e</a></p>\n\n'
    )


@pytest.mark.parametrize(
    "path",
    [
        *("nowhere.md", "../pyproject.toml", "%2e%2e/README.md", "%00", "tests/conftest.py"),
        *("gpus/../pyproject.toml", "gpus/py.typed", f"{'a' * 300}.md"),
    ],
)
def test_only_pages_are_served(url: str, path: str) -> None:
    status, page = _get(f"{url}{path}")
    assert (status, '<a href="/">All pages</a>' in page) == (404, True)


@pytest.mark.parametrize("path", ["plan", "plan.html"])
def test_a_page_is_found_by_its_name(url: str, path: str) -> None:
    assert _get(f"{url}{path}") == _get(f"{url}plan.md")


def test_html_in_a_page_is_text() -> None:
    assert "<script>" not in page_html("# A\n\n<script>alert(1)</script>\n")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_host_is_refused(server: LoopbackServer, method: str) -> None:
    request = Request(server.url, headers={"Host": "evil.example"}, method=method)  # noqa: S310
    port = server.server_port
    assert _get(request) == (403, f"Host must be 127.0.0.1:{port} or localhost:{port}\n")


def test_no_other_site_may_show_a_page_and_no_script_runs(url: str) -> None:
    with urlopen(url) as answer:  # noqa: S310 # the scheme is http
        assert answer.headers["Content-Security-Policy"] == (
            "default-src 'none'; base-uri 'none'; form-action 'none'; "
            "style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'"
        )


def test_a_browser_that_leaves_prints_nothing(
    server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.exception", BrokenPipeError)
    server.handle_error(None, None)
    assert capsys.readouterr() == ("", "")


def test_connections_beyond_those_that_are_answered_are_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gpuplane.loopback_server.MAX_CONNECTIONS", 2)
    with page_server(0) as server, ExitStack() as idle:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = (LOOPBACK, server.server_port)
        for _ in range(2):
            idle.enter_context(socket.create_connection(address))
        with socket.create_connection(address, timeout=5) as closed:
            assert closed.recv(1) == b""
        idle.close()
        while not _answers(server):
            time.sleep(0.01)
        server.shutdown()


def _answers(server: LoopbackServer) -> bool:
    try:
        return _get(server.url)[0] == 200
    except (URLError, ConnectionError):
        return False
