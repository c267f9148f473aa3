"""What is used of uvicorn beyond its documented API, which any minor version may change.

So pyproject.toml bounds the version, and tests/webhook/http/test_uvicorn_internals.py names each
attribute and behaviour that is relied on.
Source: https://github.com/Kludex/uvicorn/blob/main/uvicorn/protocols/http/httptools_impl.py
"""

from uvicorn._types import HTTPScope
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

__all__ = ["STATUS_LINE", "HTTPScope", "HttpToolsProtocol", "RequestResponseCycle"]
