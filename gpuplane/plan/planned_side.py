"""The sides of a planned comparison: what was and is rendered, and what runs of it."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.increment import Idle, running
from gpuplane.plan.object_change import ClusterObjects
from gpuplane.plan.pin_change import PinnedSide
from gpuplane.plan.version_platform import NotKnown, version_platform
from gpuplane.versions.comparison import ComparedSide, Comparison, VersionReader
from policies.settings import Settings


@dataclass(frozen=True, slots=True)
class PlannedSide(PinnedSide):
    """One side of a comparison, as far as it is known."""

    platform: Platform | None = None
    not_known: str | None = None

    @property
    def settings(self) -> Settings | None:
        """Those of the rules, as the cluster file has them."""
        return policy_settings(self.platform) if self.platform else None

    @property
    def namespaces(self) -> frozenset[str]:
        return frozenset(ClusterObjects(self.documents, {}).namespaces_before)

    @property
    def made_pools(self) -> frozenset[str]:
        """The pools whose nodes objects make or label."""
        return frozenset(ClusterObjects(self.documents, {}).pools)

    @property
    def pools(self) -> frozenset[str]:
        declared = (pool.name for pool in self.platform.pools) if self.platform else ()
        return self.made_pools.union(declared)

    @property
    def offered_resources(self) -> frozenset[str]:
        return frozenset(self.platform.offered_resources if self.platform else ())


Sides: TypeAlias = tuple[PlannedSide, PlannedSide]


def planned_sides(comparison: Comparison, here: Platform | None, *, is_edited: bool) -> Sides:
    """Return both sides; `here` is the cluster as its file on the disk has it."""
    reader = VersionReader()
    before = _side(comparison.old, None if is_edited else here, reader)
    after = _side(comparison.new, here, reader)
    is_same = before.record is not None and before.record == after.record
    # The cluster file that renders a version may have been edited since, and committed so.
    return before, replace(before, documents=after.documents) if is_same else after


def live_side(comparison: Comparison, here: Platform | None) -> PlannedSide:
    """Return what is live once the change is merged, whatever versions are compared."""
    snapshot = comparison.new.snapshot
    version = snapshot.declared.live
    return _side(ComparedSide(snapshot, version, snapshot.tree(version)), here, VersionReader())


def as_it_runs(sides: Sides, live: PlannedSide) -> tuple[Sides, Idle]:
    """Return the sides with the objects of the first as far as they are live, and what is not."""
    old, new = sides
    before = replace(old, documents=running(old.documents, new.documents, live.documents))
    namespaces = old.namespaces - live.namespaces
    if live.not_known:
        return (before, new), Idle(namespaces, old.made_pools - live.made_pools)
    resources = old.offered_resources - live.offered_resources
    return (before, new), Idle(namespaces, old.pools - live.pools, resources)


def _side(side: ComparedSide, here: Platform | None, reader: VersionReader) -> PlannedSide:
    documents = reader.objects_of(side.tree, side.file_name)
    platform, record = version_platform(side, here), side.snapshot.record(side.version)
    if isinstance(platform, NotKnown):
        return PlannedSide(documents, record, not_known=platform.reason)
    return PlannedSide(documents, record, platform)
