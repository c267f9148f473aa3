"""What it costs that another version of a cluster goes live, whatever its file costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from charts_py.platform.platform import Platform
from gpuplane.plan.cost_clauses import NOT_KNOWN, comparison_clause
from gpuplane.plan.version_platform import NotKnown, version_platform
from gpuplane.reports.cost.cost_statement import CostComparison
from gpuplane.versions.base import Base
from gpuplane.versions.comparison import ComparedSide
from gpuplane.versions.snapshot import ClusterSnapshot, WorkTree


@dataclass(frozen=True, slots=True)
class LiveChange:
    """Another version of a cluster that goes live, with the platform of each."""

    cluster: str
    old: str | None
    """None where none was live."""
    new: str
    before: Platform | NotKnown | None
    after: Platform | NotKnown | None


@dataclass(frozen=True, slots=True)
class PromotedCost:
    cluster: str
    old: str | None
    """None where no version was live."""
    new: str
    comparison: CostComparison | None
    """None where it is not known."""
    not_known: tuple[str, ...] = ()
    """Full sentences that say why."""

    def __str__(self) -> str:
        place = f"in place of {self.old}" if self.old else "where none was"
        clause = comparison_clause([self.comparison]) if self.comparison else NOT_KNOWN
        said = f"{self.cluster} goes live as {self.new} {place}: {clause}."
        return " ".join((said, *self.not_known))


def live_changes(
    clusters: Path, dist: Path, base: Base, asked: Mapping[str, Platform]
) -> Iterator[LiveChange]:
    """Yield the clusters of which another version goes live than the one that their file renders.

    `asked` are the clusters as their files here have them. Raises GitError where git cannot answer.
    """
    for name, here in asked.items():
        new = ClusterSnapshot(WorkTree(), clusters, dist, name)
        old = replace(new, snapshot=base.commit, must_be_whole=False)
        was, is_now = old.declared, new.declared
        live = (was.live, is_now.live)
        if is_now.live is None or was.live == is_now.live or live == (was.version, is_now.version):
            continue
        sides = (ComparedSide(old, was.live, {}), ComparedSide(new, is_now.live, {}))
        before, after = (version_platform(side, here) for side in sides)
        yield LiveChange(name, was.live, is_now.live, before, after)
