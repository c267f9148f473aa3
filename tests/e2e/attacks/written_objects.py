"""Objects as bytes, which need be nothing that Python could follow."""

import json
from http import HTTPStatus

from tests.e2e.control_plane.api_client import ApiClient

GO_LEVELS = 10_000
"""How deep Go's JSON may be nested; a pod has four levels above the fields of a manager."""


def nested(levels: int) -> bytes:
    """Return fields below fields."""
    return b'{"f:a":' * (levels - 1) + b"{}" + b"}" * (levels - 1)


def said(
    client: ApiClient, method: str, path: str, body: bytes, content_type: str = "application/json"
) -> str | None:
    """Return why a request is refused; None where it is not.

    Neither the request nor what it is answered with is a document that Python could follow.
    """
    headers = {"Authorization": f"Bearer {client.connection.token}", "Content-Type": content_type}
    url = f"{client.connection.server}{path}"
    response = client.connection.pool.request(method, url, body=body, headers=headers)
    if response.status < HTTPStatus.BAD_REQUEST:
        return None
    message: str = json.loads(response.data)["message"]
    return message
