"""What clusters cost beside what they did at a git reference."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, find_cluster_files
from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.other_names import unknown_name
from charts_py.extensions.patches import Patcher
from charts_py.load import load_platforms
from charts_py.objects.document import key_of
from charts_py.platform.platform import Platform
from charts_py.providers.registry import provisioner_of
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.promoted_cost import LiveChange, PromotedCost, live_changes
from gpuplane.plan.refused_pools import (
    RemadePool,
    keeping,
    refused_pools,
    remade_pools,
    remade_words,
)
from gpuplane.plan.version_platform import NotKnown
from gpuplane.reports.cost.cost_request import earlier_clusters
from gpuplane.reports.cost.cost_statement import CostComparison, compare, cost_statement
from gpuplane.reports.cost.not_live import NotLive, not_live, not_live_note
from gpuplane.versions.base import Base
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject


@dataclass(frozen=True, slots=True)
class KeptPool:
    """A pool that stays as it is, as the cloud refuses its change."""

    cluster: str
    remade: RemadePool

    def __str__(self) -> str:
        return (
            f"{self.cluster}/{self.remade.name} stays as it is, as the cloud refuses the change; "
            f"if it is made again: {remade_words(self.remade)}."
        )


@dataclass(frozen=True, slots=True)
class ComparedCost:
    """What a change costs or saves, and the pools of which the cloud refuses it."""

    comparison: CostComparison
    kept: tuple[KeptPool, ...] = ()
    not_live: tuple[NotLive, ...] = ()
    promoted: tuple[PromotedCost, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        return (*map(str, self.kept), *not_live_note(self.not_live), *map(str, self.promoted))


def compare_cost(clusters: Path, dist: Path, names: Sequence[str], base: Base) -> ComparedCost:
    """Return what clusters of a folder cost beside what they did at a base.

    Without names, all. This version reads both. Raises SpecError with every fault, RenderError for
    an unknown name, GitError where git cannot answer.
    """
    with earlier_clusters(base.commit, clusters) as earlier:
        old, new = earlier.files(), find_cluster_files(clusters)
        known = sorted({file.stem for side in (old, new) for file in side.clusters})
        for name in (name for name in names if name not in known):
            raise RenderError(unknown_name("cluster", name, known))
        platforms = earlier.load(_chosen(old, names))
    known_before = {each.name: each for each in platforms}
    asked = load_platforms(_chosen(new, names))
    refused = {each.name: _refused(known_before.get(each.name), each) for each in asked}
    after = [keeping(each, known_before.get(each.name), refused[each.name]) for each in asked]
    by_name = {each.name: each for each in asked}
    promoted = map(_promoted, live_changes(clusters, dist, base, by_name))
    kept = tuple(
        KeptPool(each.name, pool)
        for each, left in zip(asked, after, strict=True)
        for pool in remade_pools(left, each, refused[each.name])
    )
    comparison = compare(cost_statement(platforms), cost_statement(after))
    return ComparedCost(comparison, kept, tuple(not_live(asked)), tuple(promoted))


def _promoted(change: LiveChange) -> PromotedCost:
    found = PromotedCost(change.cluster, change.old, change.new, None)
    before, after = change.before, change.after
    if isinstance(before, NotKnown) or isinstance(after, NotKnown) or after is None:
        reasons = (each.reason for each in (before, after) if isinstance(each, NotKnown))
        return replace(found, not_known=tuple(dict.fromkeys(reasons)))
    left = keeping(after, before, _refused(before, after))
    was = cost_statement((before,) if before else ())
    return replace(found, comparison=compare(was, cost_statement((left,))))


def _chosen(files: ClusterFiles, names: Sequence[str]) -> ClusterFiles:
    chosen = (file for file in files.clusters if not names or file.stem in names)
    return ClusterFiles(files.fleet, tuple(chosen))


def _refused(before: Platform | None, asked: Platform) -> frozenset[str]:
    """Return the pools that the cloud does not change, by the objects that make nodes."""
    if before is None:
        return frozenset()
    changed = planned_objects(_node_objects(before), _node_objects(asked))
    return frozenset(refused_pools(changed)) & {pool.name for pool in before.pools}


def _node_objects(platform: Platform) -> PlacedDocuments:
    provisioner = provisioner_of(platform)
    documents = Patcher(platform).apply(provisioner.objects(platform))
    return {PlacedObject(provisioner.component, key_of(each)): each for each in documents}
