"""What the components logged while a test ran, for the report of one that failed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

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
