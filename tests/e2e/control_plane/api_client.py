"""A client of the API server for objects: create, apply, read, change, wait."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_connection import (
    Answer,
    ApiConnection,
    ApiError,
    Identity,
    open_connection,
)
from tests.e2e.control_plane.resource_paths import ResourcePaths
from tests.e2e.polling import polls

__all__ = [
    "APPLY_PATCH",
    "FIELD_MANAGER",
    "JSON_PATCH",
    "MERGE_PATCH",
    "PATIENCE_SECONDS",
    "Answer",  # what a client answers with, too
    "ApiClient",
    "ApiError",
    "connect",
]

FIELD_MANAGER = "gpuplane-e2e"
APPLY_PATCH = "application/apply-patch+yaml"
MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class ApiClient:
    """The objects of one API server as one user sees them; threads may share it."""

    connection: ApiConnection
    paths: ResourcePaths

    def impersonating(self, user: str, *groups: str) -> ApiClient:
        """Return a client that makes its requests as another user."""
        identity = Identity(user, groups)
        return replace(self, connection=replace(self.connection, identity=identity))

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        content_type: str = "application/json",
        **query: str,
    ) -> Answer:
        """Make a request, its body as JSON; raise ApiError for an answer of 400 or above."""
        return self.connection.request(method, path, body, content_type, query)

    def path(self, api_version: str, kind: str, namespace: str | None = None) -> str:
        """Return the path of a kind's objects; raise KeyError where it is not served."""
        return self.paths.path(api_version, kind, namespace)

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

    def apply(self, document: Document, field_manager: str = FIELD_MANAGER, **query: str) -> Answer:
        """Apply an object server-side; `force="true"` takes fields over from other managers."""
        path = self.paths.of(document)
        query = {"fieldManager": field_manager, "fieldValidation": "Strict", **query}
        return self.request("PATCH", path, document, APPLY_PATCH, **query)

    def get(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> Document:
        return self.request("GET", self.paths.path(api_version, kind, namespace, name)).document

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
        """Change the object that a document identifies."""
        return self.request("PATCH", self.paths.of(document, subresource), change, content_type)

    def replace_status(self, document: Document) -> Answer:
        """Write an object's status."""
        return self.request("PUT", self.paths.of(document, "status"), document)

    def delete(self, document: Document, grace_period_seconds: int = 0) -> Answer:
        """Delete the object that a document identifies; pods, without a kubelet, at once."""
        options = {"gracePeriodSeconds": grace_period_seconds, "propagationPolicy": "Background"}
        return self.request("DELETE", self.paths.of(document), options)

    def wait_for(
        self,
        document: Document,
        is_so: Callable[[Document], bool] = bool,
        seconds: float = PATIENCE_SECONDS,
    ) -> Document:
        """Return the object that a document identifies once it is there and a condition holds.

        Raises TimeoutError with the object's last state, or a Status that says it is missing.
        """
        path = self.paths.of(document)
        for _ in polls(seconds):
            found = self._read(path)
            if found.status == HTTPStatus.OK and is_so(found.document):
                return found.document
        last = json.dumps(found.document)
        raise TimeoutError(f"{path} not as awaited within {seconds} s: {last}")

    def wait_until_gone(self, document: Document, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until an object is gone; raise TimeoutError with its last state."""
        path = self.paths.of(document)
        for _ in polls(seconds):
            found = self._read(path)
            if found.status == HTTPStatus.NOT_FOUND:
                return
        raise TimeoutError(f"{path} still there after {seconds} s: {json.dumps(found.document)}")

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
    connection = open_connection(server, token, authority)
    return ApiClient(connection, ResourcePaths(connection.read))
