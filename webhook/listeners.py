"""The sockets that workers serve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Listeners:
    """Bound sockets that all workers share."""

    reviews: socket.socket
    operations: socket.socket | None = None

    def __iter__(self) -> Iterator[socket.socket]:
        """Yield each."""
        yield self.reviews
        if self.operations:
            yield self.operations
