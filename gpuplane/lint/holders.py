"""What holds a field."""

from collections.abc import Iterator


def holders(pointer: str) -> Iterator[str]:
    """Yield a JSON Pointer, and those to what holds its field, the nearest first."""
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer
