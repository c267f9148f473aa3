"""An API over HTTP, of a host of repositories or of a model registry."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener


class HostError(Exception):
    """A request fails; the message has the words of the host, and no token."""


_TIMEOUT_SECONDS = 30.0
_MAX_SHOWN = 500
"""A message shows so many characters of an answer that is not understood."""


@dataclass(frozen=True, slots=True)
class HostApi:
    """An API by its base address."""

    url: str
    headers: Mapping[str, str] = field(repr=False)
    """Those with a token, if it takes one."""

    def __post_init__(self) -> None:
        """Refuse what would send the token unencrypted over a network."""
        parts = urlsplit(self.url)
        is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
        is_open = parts.scheme == "http" and (is_here or not self.headers)
        if parts.scheme != "https" and not is_open:
            raise HostError(f"{self.url}: is not an address that begins with https://")

    def request(self, method: str, path: str, body: object = None) -> Any:
        """Return the answer, None where it is empty; raise HostError."""
        content = None if body is None else json.dumps(body).encode()
        address = f"{self.url.rstrip('/')}/{path}" if path else self.url
        headers = {"Content-Type": "application/json", "User-Agent": "gpuplane", **self.headers}
        request = Request(address, content, headers, method=method)  # noqa: S310 # see above
        try:
            with build_opener(_NoRedirects).open(request, timeout=_TIMEOUT_SECONDS) as answer:
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            with error:
                said = _message(error.read())
            raise HostError(f"{method} {address}: {error.code} {said or error.reason}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise HostError(f"{method} {address}: {error}") from error


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_arguments: object) -> None:
        """Return no request, so that the redirect is the answer."""


def _message(content: bytes) -> str:
    """Return the host's words about an error, in one line."""
    try:
        fields = json.loads(content)
    except ValueError:
        fields = content.decode(errors="replace")
    said = fields.get("message") or fields.get("error") if isinstance(fields, dict) else fields
    text = said if isinstance(said, str) else json.dumps(said)
    return " ".join(text.split())[:_MAX_SHOWN]
