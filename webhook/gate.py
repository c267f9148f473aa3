"""Limits what is in progress at once, so that overload is refused and never queued."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BODY_BYTES = 7 * 2**20
"""Of one review. The API server admits objects of up to 3 MiB (`MaxRequestBodyBytes` in
https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/server/config.go),
and an update holds two."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker takes on at once.

    A body that arrives whole is answered before the next is read, so only bodies that are still
    arriving count.
    """

    bodies: int = 64
    """Bodies that are still arriving."""
    body_bytes: int = 8 * MAX_BODY_BYTES
    """Their total size."""
    connections: int = 1024
    """Of each port; beyond that, the HTTP server answers 503. Each carries one review at a time, so
    this is also how many reviews one review may have to wait for."""
    head_seconds: float = 10.0
    """For a TLS handshake, and again from its end to the first byte of the first body, or to the
    end of a request without a body. For later requests it counts from their first byte. A
    connection that takes longer is closed within two seconds."""
    body_seconds: float = 5.0
    """From the first part of a body to its last; the API server waits no longer for an answer."""


class OverloadError(Exception):
    """More is in progress than the limits allow."""


class Gate:
    """Counts the bodies that are arriving."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._bodies = 0
        self._bytes = 0

    @contextmanager
    def admit(self, size: int) -> Iterator[None]:
        """Take on a body of at most that size; raises OverloadError."""
        limits = self.limits
        if self._bodies >= limits.bodies:
            raise OverloadError(f"{limits.bodies} bodies are arriving already")
        if self._bytes + size > limits.body_bytes:
            raise OverloadError(f"bodies of {self._bytes} bytes are arriving already")
        self._bodies += 1
        self._bytes += size
        try:
            yield
        finally:
            self._bodies -= 1
            self._bytes -= size
