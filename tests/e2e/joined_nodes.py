"""Nodes that are in the cluster for as long as a test needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from charts_py.document import Document
from tests.e2e.api_client import ApiClient
from tests.e2e.gpu_nodes import join, leave


@contextmanager
def joined(client: ApiClient, *nodes: Document) -> Iterator[None]:
    """Register nodes; in the end they leave, and Kubernetes deletes their pods."""
    try:
        join(client, *nodes)
        yield
    finally:
        leave(client, *nodes)
