"""Serves the page and its answers to browsers on this machine, and to nobody else.

A page of another site can have a browser send requests here, and by DNS rebinding it can even read
what comes back (https://en.wikipedia.org/wiki/DNS_rebinding). So requests must name this address,
and questions must come from this page.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec

from gpuplane.playground.answer import Answer, Question
from gpuplane.playground.cluster_facts import PlaygroundCluster, PlaygroundFacts, playground_cluster
from gpuplane.playground.page import Answering, Page, build_page, page_data
from gpuplane.playground.playground_answer import MAX_LENGTH, playground_answer
from gpuplane.versions.tree import DistError, unknown
from policies.admission import today

_BY_SERVER = Answering(
    script="ask_server.js",
    where="It is sent to the gpuplane on this machine, and no further.",
    allowed={"connect-src": "'self'"},
    blocks={},
)


@dataclass(frozen=True, slots=True)
class Site:
    """The page, and the clusters that answer."""

    page: Page
    clusters: Mapping[str, PlaygroundCluster]
    """Clusters by name."""

    def answer(self, body: bytes) -> Answer:
        """Answer a question; raises ValueError or DistError, which say what is wrong with it."""
        question = msgspec.json.decode(body, type=Question)
        cluster = self.clusters.get(question.cluster)
        if cluster is None:
            raise unknown("cluster", question.cluster, self.clusters)
        return playground_answer(cluster, question.manifest, question.namespace or None, today())


LOOPBACK = "127.0.0.1"
MAX_BODY = 2 * MAX_LENGTH
"""Bytes of a question: JSON escapes some letters of a manifest."""
SECONDS = 10
"""Seconds that a client may take to send a question."""
JSON = "application/json"
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class LocalServer(ThreadingHTTPServer):
    """Serves a site on the loopback address."""

    daemon_threads = True

    def __init__(self, site: Site, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.site = site

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{host}:{self.server_port}" for host in (LOOPBACK, "localhost"))

    @property
    def url(self) -> str:
        return f"http://{self.names[0]}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a browser that went away before its answer was there."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type] # as it came


class _Handler(BaseHTTPRequestHandler):
    server: LocalServer
    timeout = SECONDS
    server_version = "gpuplane"
    sys_version = ""

    def do_GET(self) -> None:  # the name is http.server's
        if (refusal := self._foreign()) is not None:
            self._refuse(HTTPStatus.FORBIDDEN, refusal)
            return
        if self.path.partition("?")[0] != "/":
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing but /")
            return
        self._send(HTTPStatus.OK, "text/html; charset=utf-8", self.server.site.page.html)

    def do_POST(self) -> None:  # likewise
        refusal = self._foreign() or self._foreign_question()
        if refusal is not None:
            self._refuse(HTTPStatus.FORBIDDEN, refusal)
            return
        if self.path != "/answer":
            self._refuse(HTTPStatus.NOT_FOUND, "questions go to /answer")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "Content-Length is needed")
        elif len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            problem = f"the question is longer than {MAX_BODY} bytes"
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problem)
        else:
            self._answer(self.rfile.read(int(length)))

    def _answer(self, body: bytes) -> None:
        try:
            answer = self.server.site.answer(body)
        except (ValueError, DistError) as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        self._send(HTTPStatus.OK, JSON, msgspec.json.encode(answer))

    def _foreign(self) -> str | None:
        """Return why a request is not from a browser that asked for this address; None if it is."""
        if self.headers.get_all("Host", []) not in [[name] for name in self.server.names]:
            return f"Host must be {' or '.join(self.server.names)}"
        return None

    def _foreign_question(self) -> str | None:
        """Return why a question is not from this page; None if it is.

        Another site's page may send forms and plain text without asking, and JSON only with leave,
        which nobody gives (https://fetch.spec.whatwg.org/#cors-safelisted-request-header).
        """
        origin = self.headers.get("Origin")
        if origin not in (None, *(f"http://{name}" for name in self.server.names)):
            return "Origin must be this page"
        if self.headers.get_content_type() != JSON:
            return f"Content-Type must be {JSON}"
        return None

    def _refuse(self, status: HTTPStatus, problem: str) -> None:
        # What is left of the request is not read, so that nothing can follow it.
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", f"{problem}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        policy = f"{self.server.site.page.policy}; frame-ancestors 'none'"
        headers = {**_HEADERS, "Content-Security-Policy": policy, "Content-Type": kind}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing: what is asked is nobody's business."""


def local_site(clusters: Sequence[PlaygroundFacts], examples: Path) -> Site:
    """Return the site of these clusters; `examples` is a folder of manifests, if there is one."""
    return Site(
        page=build_page(page_data(clusters, examples), _BY_SERVER),
        clusters={facts.name: playground_cluster(facts) for facts in clusters},
    )
