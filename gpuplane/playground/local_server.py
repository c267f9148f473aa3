"""Serves the page, and answers the questions that come from it."""

from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

import msgspec

from gpuplane.loopback_server import HTML, LoopbackHandler, LoopbackServer
from gpuplane.playground.answer import Answer, Question
from gpuplane.playground.cluster_facts import PlaygroundFacts, playground_cluster
from gpuplane.playground.page import Answering, build_page, page_data
from gpuplane.playground.playground_answer import MAX_LENGTH, playground_answer
from gpuplane.versions.tree import DistError, unknown
from policies.admission import today

_BY_SERVER = Answering(
    script="ask_server.js",
    where="It is sent to the gpuplane on this machine, and no further.",
    allowed={"connect-src": "'self'"},
    blocks={},
)
MAX_BODY = 2 * MAX_LENGTH
"""Bytes of a question: JSON escapes some letters of a manifest."""
JSON = "application/json"


class LocalServer(LoopbackServer):
    """Serves the page of these clusters, which answer."""

    def __init__(self, clusters: Sequence[PlaygroundFacts], examples: Path, port: int) -> None:
        self.page = build_page(page_data(clusters, examples), _BY_SERVER)
        self.clusters = {facts.name: playground_cluster(facts) for facts in clusters}
        super().__init__(_Handler, self.page.policy, port)

    def answer(self, body: bytes) -> Answer:
        """Answer a question; raises ValueError or DistError, which say what is wrong with it."""
        question = msgspec.json.decode(body, type=Question)
        cluster = self.clusters.get(question.cluster)
        if cluster is None:
            raise unknown("cluster", question.cluster, self.clusters)
        return playground_answer(cluster, question.manifest, question.namespace or None, today())


class _Handler(LoopbackHandler):
    server: LocalServer

    def do_GET(self) -> None:  # noqa: N802 # http.server's name
        if self.path.partition("?")[0] != "/":
            self.refuse(HTTPStatus.NOT_FOUND, "there is nothing but /")
            return
        self.send(HTTPStatus.OK, HTML, self.server.page.html)

    def do_POST(self) -> None:  # noqa: N802 # likewise
        if (refusal := self._foreign_question()) is not None:
            self.refuse(HTTPStatus.FORBIDDEN, refusal)
            return
        if self.path != "/answer":
            self.refuse(HTTPStatus.NOT_FOUND, "questions go to /answer")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            self.refuse(HTTPStatus.LENGTH_REQUIRED, "Content-Length is needed")
        elif len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            problem = f"the question is longer than {MAX_BODY} bytes"
            self.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problem)
        else:
            self._answer(self.rfile.read(int(length)))

    def _answer(self, body: bytes) -> None:
        try:
            answer = self.server.answer(body)
        except (ValueError, DistError) as error:
            self.refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        except RecursionError:
            self.refuse(HTTPStatus.BAD_REQUEST, "the question is nested too deeply")
            return
        self.send(HTTPStatus.OK, JSON, msgspec.json.encode(answer))

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
