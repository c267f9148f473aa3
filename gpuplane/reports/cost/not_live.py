"""Clusters whose cost is that of a version which is not live."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from charts_py.platform.platform import Platform
from policies.document import few


@dataclass(frozen=True, slots=True)
class NotLive:
    cluster: str
    version: str
    """What its file renders, of which the cost is."""
    live: str | None
    """None where no version is live."""

    def __str__(self) -> str:
        return f"{self.cluster} {self.version} (live: {self.live or 'none'})"


def not_live(platforms: Iterable[Platform]) -> Iterator[NotLive]:
    for each in platforms:
        live = each.live if each.is_live else None
        if live != each.cluster.version:
            yield NotLive(each.name, each.cluster.version, live)


def not_live_note(clusters: Iterable[NotLive]) -> Iterator[str]:
    if named := [str(each) for each in clusters]:
        yield f"Counted as cluster files render it, and not as it is live: {few(named)}."
