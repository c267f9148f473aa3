"""A client of the API server for objects: create, apply, read, change, wait.

Its requests stand on urllib3, which threads may share and which keeps connections alive. The
package `kubernetes` hides the Warning headers and decides by itself what a patch is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import urllib3

from charts_py.objects.document import Document
from tests.e2e.polling import once_seen, polls

MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
PATIENCE_SECONDS = 30.0
_APPLY_PATCH = "application/apply-patch+yaml"
_APPLIED = {"fieldManager": "gpuplane-e2e", "fieldValidation": "Strict"}
_WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')
"""https://kubernetes.io/docs/reference/using-api/api-concepts/ and RFC 7234, section 5.5."""
_BY_A_POLICY = "denied request"
_TIMEOUT_SECONDS = 60
_CONNECTIONS = 64


@dataclass(frozen=True, slots=True)
class Answer:
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
        return str(self.answer.document.get("message", self.answer.document))


@dataclass(frozen=True, slots=True)
class ApiClient:
    """The objects of one API server as one user sees them; threads may share it."""

    server: str
    token: str = field(repr=False)
    pool: urllib3.PoolManager = field(repr=False)
    identity: Mapping[str, str] = field(default_factory=dict)
    """Headers that ask the server to impersonate somebody."""
    _resources: dict[tuple[str, str], tuple[str, bool]] = field(default_factory=dict, repr=False)
    """Plural of a kind, and whether it is namespaced, by API version and kind."""

    def impersonating(self, user: str, *groups: str) -> ApiClient:
        """Return a client that makes its requests as another user."""
        identity = urllib3.HTTPHeaderDict({"Impersonate-User": user})
        for group in groups:
            identity.add("Impersonate-Group", group)
        return replace(self, identity=identity)

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        content_type: str = "application/json",
        **query: str,
    ) -> Answer:
        """Make a request, its body as JSON; raise ApiError for an answer of 400 or above."""
        headers = urllib3.HTTPHeaderDict(self.identity)
        headers |= {"Authorization": f"Bearer {self.token}", "Content-Type": content_type}
        response = self.pool.request(
            method,
            f"{self.server}{path}" + (f"?{urlencode(query)}" if query else ""),
            body=None if body is None else json.dumps(body).encode(),
            headers=headers,
        )
        warnings = _warnings(response.headers.getlist("Warning"))
        answer = Answer(response.status, _document(response.data), warnings)
        if response.status >= HTTPStatus.BAD_REQUEST:
            raise ApiError(f"{method} {path}", answer)
        return answer

    def path(
        self,
        api_version: str,
        kind: str,
        namespace: str | None = None,
        name: str | None = None,
        subresource: str = "",
    ) -> str:
        """Return the path of a kind's objects, of an object, or of a part of it.

        Raises KeyError for a kind that the server does not know.
        """
        root = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
        # A kind that is not known may have come since, with a CustomResourceDefinition.
        if (api_version, kind) not in self._resources:
            for each in self.request("GET", root).document["resources"]:
                if "/" not in each["name"]:
                    self._resources[api_version, each["kind"]] = each["name"], each["namespaced"]
        plural, namespaced = self._resources[api_version, kind]
        place = [f"namespaces/{quote(namespace)}"] if namespace and namespaced else []
        return "/".join([root, *place, plural, *(quote(e) for e in (name, subresource) if e)])

    def path_of(self, document: Document, subresource: str = "") -> str:
        """Return the path of the object that a document identifies, or of a part of it."""
        metadata = document["metadata"]
        place = metadata.get("namespace"), metadata["name"]
        return self.path(document["apiVersion"], document["kind"], *place, subresource)

    def serves(self, api_version: str, kind: str) -> bool:
        """Tell whether objects of a kind can be asked for."""
        try:
            self.path(api_version, kind)
        except (ApiError, KeyError):
            return False
        return True

    def create(self, document: Document, **query: str) -> Answer:
        """Create an object; `dryRun="All"` only tries."""
        namespace = document["metadata"].get("namespace")
        path = self.path(document["apiVersion"], document["kind"], namespace)
        return self.request("POST", path, document, **query)

    def apply(self, document: Document, **query: str) -> Answer:
        """Apply an object server-side; `force="true"` takes fields over from other managers."""
        query = {**_APPLIED, **query}
        return self.request("PATCH", self.path_of(document), document, _APPLY_PATCH, **query)

    def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Document:
        return self.request("GET", self.path(api_version, kind, namespace, name)).document

    def find(
        self, api_version: str, kind: str, namespace: str | None = None, **query: str
    ) -> list[Document]:
        """Return the objects of a kind; without a namespace those of all namespaces."""
        path = self.path(api_version, kind, namespace)
        items: list[Document] = self.request("GET", path, **query).document["items"]
        return items

    def patch(
        self,
        document: Document,
        change: object,
        subresource: str = "",
        content_type: str = MERGE_PATCH,
    ) -> Answer:
        return self.request("PATCH", self.path_of(document, subresource), change, content_type)

    def replace_status(self, document: Document) -> Answer:
        return self.request("PUT", self.path_of(document, "status"), document)

    def delete(self, document: Document) -> Answer:
        """Delete the object that a document identifies; pods, without a kubelet, at once."""
        options = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
        return self.request("DELETE", self.path_of(document), options)

    def wait_for(
        self,
        document: Document,
        is_so: Callable[[Document], bool] = bool,
        seconds: float = PATIENCE_SECONDS,
    ) -> Document:
        """Return the object that a document identifies once it is there and a condition holds.

        Raises TimeoutError with the object's last state, or a Status that says it is missing.
        """
        path = self.path_of(document)
        for _ in polls(seconds):
            found = self._read(path)
            if found.status == HTTPStatus.OK and is_so(found.document):
                return found.document
        last = json.dumps(found.document)
        raise TimeoutError(f"{path} not as awaited within {seconds} s: {last}")

    def wait_until_gone(self, document: Document, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until an object is gone; raise TimeoutError with its last state."""
        path = self.path_of(document)
        once_seen(
            lambda: self._read(path),
            lambda found: found.status == HTTPStatus.NOT_FOUND,
            f"{path} is gone",
            seconds,
        )

    def wait_until_refused(self, document: Document, words: str = _BY_A_POLICY) -> ApiError:
        """Try to create an object until the API server, which reads of policies and quotas late,
        refuses it, and says some words, by default those of a policy; return how.

        Before, it may refuse it for another reason: it reads of roles and of new kinds late, too.
        """
        refused = once_seen(
            lambda: refusal(self.create, document, dryRun="All"),
            lambda error: error is not None and words in error.message,
            f"{document['metadata']['name']} is refused",
        )
        assert refused is not None
        return refused

    def _read(self, path: str) -> Answer:
        """Return an object, or the Status that says it is missing."""
        try:
            return self.request("GET", path)
        except ApiError as error:
            if error.answer.status != HTTPStatus.NOT_FOUND:
                raise
            return error.answer


def connect(server: str, token: str, authority: Path) -> ApiClient:
    """Return a client that trusts an authority, whose certificate stands in a PEM file."""
    pool = urllib3.PoolManager(
        maxsize=_CONNECTIONS, ca_certs=str(authority), retries=False, timeout=_TIMEOUT_SECONDS
    )
    return ApiClient(server, token, pool)


def refusal(send: Callable[..., object], *arguments: object, **query: str) -> ApiError | None:
    """Return how the API server refuses a request; None where it does not."""
    try:
        send(*arguments, **query)
    except ApiError as error:
        return error
    return None


def why_not(send: Callable[..., object], *arguments: object, **query: str) -> str:
    """Return what the API server refuses a request for; empty where it does not."""
    error = refusal(send, *arguments, **query)
    return error.message if error else ""


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
