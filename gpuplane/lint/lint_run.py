"""A run of the linter, of which nothing is done again that was done before."""

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from gpuplane.lint.cache import CacheStore, digest, folder_digest, installation_digest
from gpuplane.lint.finding import FileFindings, from_json, to_json
from gpuplane.lint.lint_source import LintSource
from policies.pod import DEFAULT_NAMESPACE


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A cluster in which manifests may be applied."""

    name: str
    kubernetes: str
    """Minor version, such as `1.36`."""
    settings: str
    """Those of its admission, as JSON."""
    workers: Mapping[str, str]
    """Those of the clusters that run jobs for it, by name."""
    custom_rules: Sequence[str]
    """Names of the rules of its platform team's own."""
    taken: Sequence[str]
    """Namespaces whose jobs these run."""


Load: TypeAlias = Callable[[Path, Sequence[str]], tuple[ClusterFacts, ...]]
"""Reads the cluster files of a folder, of these names or all."""
Keep: TypeAlias = Callable[[LintSource, FileFindings], None]
"""Keeps what is found in a file."""
_JudgeUnseen: TypeAlias = Callable[[Sequence[LintSource], Keep], Sequence[FileFindings]]
"""Returns what is found in each of the files, and has kept it."""


@dataclass(frozen=True, slots=True)
class LintTerms:
    """What is taken for granted."""

    today: dt.date
    """Decides which exceptions have expired."""
    namespace: str | None = None
    """In place of those that objects name."""
    default_namespace: str = DEFAULT_NAMESPACE
    """Of an object that names none."""


Judge: TypeAlias = Callable[
    [Sequence[LintSource], Sequence[ClusterFacts], LintTerms, Keep], Sequence[FileFindings]
]
"""Returns what is found in each of the files, and has kept it."""


class LintRun:
    """The cache of one version of gpuplane, and what has to be done where it has nothing.

    `load` and `judge` import far more than what reads the cache, so that they are given.
    """

    def __init__(self, cache: Path | None, load: Load, judge: Judge) -> None:
        """`cache`: its folder; None keeps nothing."""
        self._store = CacheStore(cache)
        self._tool = "" if cache is None else installation_digest()
        self._load, self._judge = load, judge

    def clusters(self, folder: Path, names: Sequence[str]) -> tuple[ClusterFacts, ...]:
        """Return the clusters of these names, or all of the folder; raises what loading raises."""
        store = self._store.below(self._tool)
        found = cached_clusters(store, folder, names, self._load)
        store.mark_used()
        return found

    def findings(
        self, sources: Sequence[LintSource], clusters: Sequence[ClusterFacts], terms: LintTerms
    ) -> list[FileFindings]:
        """Return what is found in each of the files."""
        inputs = json.dumps([[asdict(each) for each in clusters], asdict(terms)], default=str)
        store = self._store.below(digest("findings", self._tool, inputs))

        def judge(unseen: Sequence[LintSource], keep: Keep) -> Sequence[FileFindings]:
            return self._judge(unseen, clusters, terms, keep)

        return cached_findings(store, sources, judge)


def cached_clusters(
    store: CacheStore, folder: Path, names: Sequence[str], load: Load
) -> tuple[ClusterFacts, ...]:
    """Return what `load` does; raises what it raises, which is not kept."""
    try:
        key = digest("clusters", folder_digest(folder), *names)
    except OSError:  # which loading reports in words
        return load(folder, names)
    kept = store.read(key)
    if kept is not None:
        return tuple(ClusterFacts(**each) for each in json.loads(kept))
    loaded = load(folder, names)
    store.write(key, json.dumps([asdict(each) for each in loaded]))
    return loaded


def cached_findings(
    store: CacheStore, sources: Sequence[LintSource], judge: _JudgeUnseen
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
