"""The two servers that a round asks, Prometheus and the API server.

They are reached with the standard library alone: for its four kinds of requests the client of the
`kubernetes` package would add 100 MiB to the webhook's image, and 26 MiB and 0.3 s to every round.
Redirects are not followed and no proxy is asked, since both are in the cluster.
"""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote, urlencode, urlsplit

Document: TypeAlias = Mapping[str, Any]

_TIMEOUT_SECONDS = 30.0
_MERGE_PATCH = "application/merge-patch+json"
_PAGE = 8
"""Objects that are asked for at once. One may have 1.5 MiB, which becomes nine times as much where
it has a character of four bytes: the answer, its text and its strings; a round has 256 MiB."""
_MOST = 1e9
"""More GPUs than a cluster has, and minutes than one was idle: in 1900 years, which have dates."""
_LAST_SECONDS = 1e11
"""In the year 5138."""


class HttpError(Exception):
    """Why a server gave no answer in JSON."""


class PrometheusError(Exception):
    """Why nothing is known of GPUs."""


class ApiServerError(Exception):
    """What the API server refuses, or that it does not answer; then `status` is 0."""

    def __init__(self, said: str, status: int = 0) -> None:
        self.status = status
        super().__init__(said)


class Reply(NamedTuple):
    """The answer of a server."""

    status: int
    document: Document


@dataclass(frozen=True, slots=True)
class HttpEndpoint:
    """A server that answers in JSON, and the beginning of its addresses."""

    url: str
    """An address with http or https, and perhaps a path."""
    tls: ssl.SSLContext | None = None
    """How it is verified; None for the authorities that the system trusts."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def request(
        self, method: str, path: str, body: object = None, content_type: str = "application/json"
    ) -> Reply:
        """Make a request, its body as JSON; raise HttpError."""
        content = None if body is None else json.dumps(body)
        headers = {**self.headers, **({} if body is None else {"Content-Type": content_type})}
        try:
            parts = urlsplit(self.url)
            with closing(self._connection(parts.scheme, parts.hostname or "", parts.port)) as to:
                to.request(method, parts.path.rstrip("/") + path, content, headers)
                response = to.getresponse()
                return Reply(response.status, _document(response.read()))
        except (OSError, HTTPException, ValueError) as error:
            raise HttpError(f"{method} {self.url}{path}: {error}") from error

    def _connection(self, scheme: str, host: str, port: int | None) -> HTTPConnection:
        if scheme == "https":
            return HTTPSConnection(host, port, timeout=_TIMEOUT_SECONDS, context=self.tls)
        return HTTPConnection(host, port, timeout=_TIMEOUT_SECONDS)


def _document(content: bytes) -> Document:
    """Return an object of JSON; raise ValueError."""
    try:
        document = json.loads(content)
    except RecursionError as error:
        raise ValueError("the answer is nested too deeply") from error
    if not isinstance(document, dict):
        raise ValueError("the answer is no object of JSON")  # noqa: TRY004 # as json.loads raises
    return document


class Row(NamedTuple):
    """A series at the time of a query."""

    labels: Mapping[str, str]
    value: float
    seconds: float
    """Time of the question, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Prometheus:
    """A Prometheus, or what answers as it does.

    https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries
    """

    endpoint: HttpEndpoint

    def rows(self, query: str) -> tuple[Row, ...]:
        """Return what a query yields now.

        Raises PrometheusError, also where the answer comes with warnings: it may be a part of one.
        """
        try:
            reply = self.endpoint.request("GET", f"/api/v1/query?{urlencode({'query': query})}")
        except HttpError as error:
            raise PrometheusError(f"Prometheus does not answer: {error}") from error
        document = reply.document
        if document.get("status") != "success":
            said = document.get("error", "")
            raise PrometheusError(f"Prometheus answers with {reply.status}: {said}")
        if warnings := document.get("warnings"):
            raise PrometheusError(f"Prometheus answers with warnings: {warnings}")
        try:
            return tuple(_row(each) for each in document["data"]["result"])
        except (KeyError, TypeError, ValueError) as error:
            raise PrometheusError(f"Prometheus answers with no vector: {error!r}") from error


def _row(result: Document) -> Row:
    seconds, value = map(float, result["value"])
    if not (0 <= value <= _MOST and 0 <= seconds <= _LAST_SECONDS):
        raise ValueError(f"no number of GPUs or minutes, or no time: {value}, {seconds}")
    return Row(dict(result["metric"]), value, seconds)


@dataclass(frozen=True, slots=True)
class ApiServer:
    """An API server, and who asks it; each request raises ApiServerError."""

    endpoint: HttpEndpoint

    def get(self, path: str) -> Document:
        return self._request("GET", path)

    def items(self, path: str, **query: str) -> Iterator[Document]:
        more = ""
        while True:
            page = {**query, "limit": str(_PAGE), **({"continue": more} if more else {})}
            found = self._request("GET", f"{path}?{urlencode(page)}")
            yield from found["items"]
            more = found["metadata"].get("continue", "")
            if not more:
                return

    def create(self, path: str, document: Document) -> None:
        self._request("POST", path, document)

    def delete(self, path: str, uid: str) -> None:
        """Delete this very object, and not another one of its name."""
        self._request("DELETE", path, {"preconditions": {"uid": uid}})

    def patch(self, path: str, change: Document) -> None:
        self._request("PATCH", path, change, _MERGE_PATCH)

    def _request(
        self, method: str, path: str, body: object = None, content_type: str = "application/json"
    ) -> Document:
        try:
            reply = self.endpoint.request(method, path, body, content_type)
        except HttpError as error:
            raise ApiServerError(f"the API server does not answer: {error}") from error
        if reply.status >= HTTPStatus.BAD_REQUEST:
            said = reply.document.get("message", "")
            raise ApiServerError(f"{method} {path}: {reply.status} {said}", reply.status)
        return reply.document


def api_server(url: str, token: Path, authority: Path) -> ApiServer:
    """Return the API server at an address, by files with a token and with its authority as PEM.

    Raises OSError for a file that cannot be read, and for one without certificates.
    """
    headers = {"Authorization": f"Bearer {token.read_text(encoding='ascii').strip()}"}
    tls = ssl.create_default_context(cafile=str(authority))
    return ApiServer(HttpEndpoint(url, tls, headers))


def object_path(api_version: str, plural: str, namespace: str, name: str = "") -> str:
    """Return the path of an object in a namespace, or of all of its kind."""
    root = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    path = f"{root}/namespaces/{quote(namespace)}/{plural}"
    return f"{path}/{quote(name, safe='')}" if name else path
