"""Requests to an API server, and its answers, warnings included.

They stand on urllib3, which threads may share and which keeps connections alive. The package
`kubernetes` hides the Warning headers and decides by itself what a patch is.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import urllib3

from charts_py.objects.document import Document

_WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')
"""https://kubernetes.io/docs/reference/using-api/api-concepts/ and RFC 7234, section 5.5."""
_TIMEOUT_SECONDS = 60
_CONNECTIONS = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API server answered."""

    status: int
    document: Document
    warnings: tuple[str, ...] = ()


class ApiError(Exception):
    """The API server refused a request; `answer` holds its Status object."""

    def __init__(self, request: str, answer: Answer) -> None:
        self.answer = answer
        super().__init__(f"{request}: {answer.status} {self.message}")

    @property
    def message(self) -> str:
        """What the server says."""
        return str(self.answer.document.get("message", self.answer.document))


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom requests are made as; the server is asked to impersonate them."""

    user: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiConnection:
    """Requests to one API server as one user; threads may share it."""

    server: str
    token: str = field(repr=False)
    pool: urllib3.PoolManager = field(repr=False)
    identity: Identity | None = None

    def request(
        self, method: str, path: str, body: object, content_type: str, query: Mapping[str, str]
    ) -> Answer:
        """Make a request, its body as JSON; raise ApiError for an answer of 400 or above."""
        response = self.pool.request(
            method,
            f"{self.server}{path}" + (f"?{urlencode(query)}" if query else ""),
            body=None if body is None else json.dumps(body).encode(),
            headers=self._headers(content_type),
        )
        warnings = _warnings(response.headers.getlist("Warning"))
        answer = Answer(response.status, _document(response.data), warnings)
        if response.status >= HTTPStatus.BAD_REQUEST:
            raise ApiError(f"{method} {path}", answer)
        return answer

    def read(self, path: str) -> Document:
        """Return what stands at a path; raise ApiError."""
        return self.request("GET", path, None, "application/json", {}).document

    def _headers(self, content_type: str) -> Mapping[str, str]:
        headers = urllib3.HTTPHeaderDict(
            {"Authorization": f"Bearer {self.token}", "Content-Type": content_type}
        )
        if self.identity is not None:
            headers.add("Impersonate-User", self.identity.user)
            for group in self.identity.groups:
                headers.add("Impersonate-Group", group)
        return headers


def open_connection(server: str, token: str, authority: Path) -> ApiConnection:
    """Return a connection that trusts an authority, whose certificate stands in a PEM file."""
    pool = urllib3.PoolManager(
        maxsize=_CONNECTIONS, ca_certs=str(authority), retries=False, timeout=_TIMEOUT_SECONDS
    )
    return ApiConnection(server, token, pool)


def _document(body: bytes) -> Document:
    try:
        document: Any = json.loads(body)
    except ValueError:
        document = None
    return document if isinstance(document, dict) else {"message": body.decode(errors="replace")}


def _warnings(headers: Iterable[str]) -> tuple[str, ...]:
    """Return the warnings of Warning headers, each of which can hold several."""
    # urllib3 reads headers as Latin-1, and the API server writes UTF-8.
    written = (header.encode("latin-1").decode(errors="replace") for header in headers)
    found = [text for header in written for text in _WARNING.findall(header)]
    return tuple(re.sub(r"\\(.)", r"\1", text) for text in found)
