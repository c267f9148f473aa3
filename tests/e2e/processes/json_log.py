"""Logs of JSON objects, one a line."""

import json
from collections.abc import Iterator
from pathlib import Path

from charts_py.objects.document import Document


def logged(log: Path) -> Iterator[Document]:
    """Yield what stands in a log so far; of what is being written, the last line may be a part."""
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                event: Document = json.loads(line)
                yield event
