"""Logs: the events of those in JSON, one a line, and what all say of a test that failed."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from charts_py.objects.document import Document
from tests.e2e.processes.component import last_lines

_SHOWN_LINES = 20


def sizes(logs: Path) -> dict[Path, int]:
    """Return how far each log has come."""
    return {log: log.stat().st_size for log in sorted(logs.glob("*.log"))}


def tails(logs: Path, before: Mapping[Path, int]) -> Iterator[tuple[str, str]]:
    """Yield the folder of the logs, then the name and last lines of each that grew since."""
    yield "logs of the components", str(logs)
    for log, size in sizes(logs).items():
        if size > before.get(log, 0):
            lines = last_lines(log, _SHOWN_LINES, start=before.get(log, 0))
            yield log.name, "\n".join(lines)


def logged(log: Path) -> Iterator[Document]:
    """Yield what stands in a log so far; of what is being written, the last line may be a part."""
    with log.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                event: Document = json.loads(line)
                yield event
