"""Objects as bytes, which need be nothing that Python could follow: as JSON, and as protobuf.

In the API server's protobuf, an object is not held to any depth. The numbers of the fields are
those of `generated.proto` in k8s.io/api v0.37.1 core/v1 and in k8s.io/apimachinery v0.37.1
pkg/apis/meta/v1 and pkg/runtime, and the first bytes those of
https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding.
"""

import json
from http import HTTPStatus

from tests.e2e.control_plane.api_client import ApiClient

CONTENT_TYPE = "application/vnd.kubernetes.protobuf"
_MAGIC = b"k8s\x00"
_LENGTH_DELIMITED = 2
_BITS = 7
GO_LEVELS = 10_000
"""How deep Go's JSON may be nested; a pod has four levels above the fields of a manager."""


def nested(levels: int) -> bytes:
    """Return fields below fields."""
    return b'{"f:a":' * (levels - 1) + b"{}" + b"}" * (levels - 1)


def said(
    client: ApiClient, method: str, path: str, body: bytes, content_type: str = "application/json"
) -> str:
    """Return why a request is refused; empty where it is not.

    Neither the request nor what it is answered with is a document that Python could follow.
    """
    headers = {"Authorization": f"Bearer {client.token}", "Content-Type": content_type}
    url = f"{client.server}{path}"
    response = client.pool.request(method, url, body=body, headers=headers)
    if response.status < HTTPStatus.BAD_REQUEST:
        return ""
    message: str = json.loads(response.data)["message"]
    return message


def protobuf_pod(name: str, namespace: str, image: str, fields: bytes) -> bytes:
    """Return a pod with a GPU, of which a manager says that it owns these fields."""
    manager = (
        _field(1, b"attacker")
        + _field(2, b"Update")
        + _field(3, b"v1")
        + _field(6, b"FieldsV1")
        + _field(7, _field(1, fields))
    )
    metadata = _field(1, name.encode()) + _field(3, namespace.encode()) + _field(17, manager)
    limit = _field(1, b"nvidia.com/gpu") + _field(2, _field(1, b"1"))
    container = _field(1, b"main") + _field(2, image.encode()) + _field(8, _field(1, limit))
    pod = _field(1, metadata) + _field(2, _field(2, container))
    return _MAGIC + _field(1, _field(1, b"v1") + _field(2, b"Pod")) + _field(2, pod)


def _field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    low, rest = number % 2**_BITS, number >> _BITS
    return bytes([low | 2**_BITS]) + _varint(rest) if rest else bytes([low])
