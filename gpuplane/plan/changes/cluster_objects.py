"""All objects of a cluster, on both sides of a change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from charts_py.argocd.applications import NAME as APPLICATIONS
from charts_py.objects.document import Document, ObjectKey
from gpuplane.plan.changes.document_values import kind_of, value_at
from gpuplane.plan.changes.pools import Pool, pools_of
from gpuplane.versions.difference import PlacedDocuments, PlacedObject


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

    @cached_property
    def places_afterwards(self) -> Mapping[ObjectKey, tuple[PlacedObject, ...]]:
        """Where each object stands afterwards, since each that goes may have moved."""
        found: dict[ObjectKey, tuple[PlacedObject, ...]] = {}
        for placed in self.after:
            found[placed.key] = (*found.get(placed.key, ()), placed)
        return found

    @cached_property
    def namespaces_before(self) -> Mapping[str, PlacedObject]:
        """Its Namespaces by name, as they were."""
        return {each.key.name: each for each in self.before if each.key.kind == "Namespace"}

    @cached_property
    def applications(self) -> tuple[Mapping[str, Document], Mapping[str, Document]]:
        """The Applications before and after, by the component whose folder each syncs."""
        return _applications(self.before), _applications(self.after)


def _applications(documents: PlacedDocuments) -> Mapping[str, Document]:
    return {
        path.rpartition("/")[2]: document
        for placed, document in documents.items()
        if placed.component == APPLICATIONS
        and (path := value_at(document, "spec", "source", "path"))
    }
