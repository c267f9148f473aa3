"""Files that are written together with what they render, or stay as they are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written(contents: Mapping[Path, bytes]) -> Iterator[None]:
    """Write files; put back what stood there where what follows fails, an interrupt included."""
    before = {file: file.read_bytes() if file.exists() else None for file in contents}
    try:
        for file, content in contents.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        yield
    except BaseException:
        for file, stood in before.items():
            if stood is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(stood)
        raise
