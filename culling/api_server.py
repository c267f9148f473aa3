"""The objects of a cluster, as its API server shows them to this service account."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote, urlencode

from culling.http_endpoint import HttpEndpoint, HttpError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Document: TypeAlias = "Mapping[str, Any]"

_MERGE_PATCH = "application/merge-patch+json"
_PAGE = 8
"""Objects that are asked for at once. One may have 1.5 MiB, which becomes nine times as much where
it has a character of four bytes: the answer, its text and its strings; a round has 256 MiB."""


class ApiServerError(Exception):
    """What the API server refuses, or that it does not answer; then `status` is 0."""

    def __init__(self, said: str, status: int = 0) -> None:
        self.status = status
        super().__init__(said)


@dataclass(frozen=True, slots=True)
class ApiServer:
    """An API server, and who asks it."""

    endpoint: HttpEndpoint

    def get(self, path: str) -> Document:
        """Return what stands at a path; raise ApiServerError."""
        return self._request("GET", path)

    def items(self, path: str) -> Iterator[Document]:
        """Yield the objects at a path, page by page; raise ApiServerError."""
        more = ""
        while True:
            query = {"limit": str(_PAGE), **({"continue": more} if more else {})}
            found = self._request("GET", f"{path}?{urlencode(query)}")
            yield from found["items"]
            more = found["metadata"].get("continue", "")
            if not more:
                return

    def create(self, path: str, document: Document) -> None:
        """Create an object; raise ApiServerError."""
        self._request("POST", path, document)

    def patch(self, path: str, change: Document) -> None:
        """Merge a change into what stands at a path; raise ApiServerError."""
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
