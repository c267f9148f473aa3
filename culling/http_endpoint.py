"""A server that answers in JSON over HTTP, reached with the standard library alone.

Redirects are not followed and no proxy is asked: both servers are in the cluster.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from ssl import SSLContext

_TIMEOUT_SECONDS = 30.0


class HttpError(Exception):
    """Why a server gave no answer in JSON."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answers."""

    status: int
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HttpEndpoint:
    """A server, by what its addresses begin with."""

    url: str
    """With http or https, and perhaps a path."""
    tls: SSLContext | None = None
    """How it is verified; None for the authorities that the system trusts."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        content_type: str = "application/json",
    ) -> Reply:
        """Make a request, its body as JSON; raise HttpError."""
        content = None if body is None else json.dumps(body)
        headers = {**self.headers, **({} if body is None else {"Content-Type": content_type})}
        try:
            connection, prefix = self._connect()
            with closing(connection):
                connection.request(method, prefix + path, content, headers)
                response = connection.getresponse()
                return Reply(response.status, _document(response.read()))
        except (OSError, HTTPException, ValueError) as error:
            raise HttpError(f"{method} {self.url}{path}: {error}") from error

    def _connect(self) -> tuple[HTTPConnection, str]:
        """Return a connection, and the path that every address begins with."""
        parts = urlsplit(self.url)
        host, prefix = parts.hostname or "", parts.path.rstrip("/")
        if parts.scheme == "https":
            return (
                HTTPSConnection(host, parts.port, timeout=_TIMEOUT_SECONDS, context=self.tls),
                prefix,
            )
        return HTTPConnection(host, parts.port, timeout=_TIMEOUT_SECONDS), prefix


def _document(content: bytes) -> Mapping[str, Any]:
    """Return an object of JSON; raise ValueError."""
    try:
        document = json.loads(content)
    except RecursionError as error:
        raise ValueError("the answer is nested too deeply") from error
    if not isinstance(document, dict):
        raise ValueError("the answer is no object of JSON")  # noqa: TRY004 # as json.loads raises
    return document
