"""What was found in files before, and finding the rest."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gpuplane.lint.cache_store import CacheStore
from gpuplane.lint.digest import digest
from gpuplane.lint.file_findings import FileFindings, from_json, to_json
from gpuplane.lint.lint_source import LintSource

Keep: TypeAlias = Callable[[LintSource, FileFindings], None]
"""Keeps what is found in a file."""
Judge: TypeAlias = Callable[[Sequence[LintSource], Keep], Sequence[FileFindings]]
"""Returns what is found in each of the files, and has kept it."""


def cached_findings(
    store: CacheStore, sources: Sequence[LintSource], judge: Judge
) -> list[FileFindings]:
    """Return what is found in each file; `judge` is called for those that were not seen before."""
    found: dict[int, FileFindings] = {}
    for index, source in enumerate(sources):
        if (kept := store.read(_key(source))) is not None:
            found[index] = from_json(kept, source.shown_as)
    missing = [index for index in range(len(sources)) if index not in found]
    unseen = [sources[index] for index in missing]
    if unseen:
        # Whoever judges keeps it at once: what was done before an interruption is not lost.
        judged = judge(unseen, lambda each, new: store.write(_key(each), to_json(new)))
        found |= zip(missing, judged, strict=True)
    store.mark_used()
    return [found[index] for index in range(len(sources))]


def _key(source: LintSource) -> str:
    return digest(str(source.is_named), source.unread, source.content)
