"""All objects of a cluster, on both sides of a change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from charts_py.objects.document import Document
from charts_py.plan.changes.document_values import kind_of
from charts_py.plan.changes.pools import Pool, pools_of
from charts_py.release.diff.objects import PlacedDocuments


@dataclass(frozen=True)
class ClusterObjects:
    """All objects of a cluster, before and after."""

    before: PlacedDocuments
    after: PlacedDocuments

    def of_kind(self, kind: str) -> Iterator[Document]:
        """Yield the objects of a kind as they are afterwards; those that go as they were."""
        for placed in sorted({**self.before, **self.after}):
            if kind_of(placed.key) == kind:
                yield self.after[placed] if placed in self.after else self.before[placed]

    @cached_property
    def pools(self) -> Mapping[str, Pool]:
        """Its pools by name, as they are afterwards; those that go as they were."""
        return {
            pool.name: pool
            for side in (self.before, self.after)
            for document in side.values()
            for pool in pools_of(document)
        }
