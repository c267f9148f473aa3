"""A run of the linter, of which nothing is done again that was done before."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from gpuplane.lint.cache_store import CacheStore
from gpuplane.lint.cached_clusters import Load, cached_clusters
from gpuplane.lint.cached_findings import Keep, cached_findings
from gpuplane.lint.cluster_facts import ClusterFacts
from gpuplane.lint.digest import digest
from gpuplane.lint.file_findings import FileFindings
from gpuplane.lint.input_digests import installation_digest
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.lint_terms import LintTerms

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
