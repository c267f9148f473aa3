"""What was found in files before, and finding the rest."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from charts_py.lint.cache_store import CacheStore
from charts_py.lint.digest import digest
from charts_py.lint.file_findings import FileFindings, from_json
from charts_py.lint.lint_source import LintSource

Judge: TypeAlias = Callable[[Sequence[LintSource]], Sequence[str]]
"""Returns what is found in each of the files, as `to_json` writes it."""


def cached_findings(
    store: CacheStore, sources: Sequence[LintSource], judge: Judge
) -> list[FileFindings]:
    """Return what is found in each file; `judge` is called for those that were not seen before."""
    found: dict[int, FileFindings] = {}
    keys = [digest(str(each.is_named), each.unread, each.content) for each in sources]
    for index, (source, key) in enumerate(zip(sources, keys, strict=True)):
        if (kept := store.read(key)) is not None:
            found[index] = from_json(kept, source.shown_as)
    missing = [index for index in range(len(sources)) if index not in found]
    texts = judge([sources[index] for index in missing]) if missing else ()
    for index, text in zip(missing, texts, strict=True):
        store.write(keys[index], text)
        found[index] = from_json(text, sources[index].shown_as)
    store.mark_used()
    return [found[index] for index in range(len(sources))]
