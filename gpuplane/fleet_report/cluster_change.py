"""What becomes of each cluster: as it was, and as it is once what is not refused is done."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet, FleetCluster
from gpuplane.plan.effect import Verdict
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.refused_pools import keeping


@dataclass(frozen=True, slots=True)
class ClusterChange:
    facts: FleetCluster
    plans: tuple[ClusterPlan, ...]
    """What a merge does to it, and then what a later promotion does."""
    asked: Platform
    """The cluster as its file asks for it."""
    after: Platform
    """The cluster as it becomes: pools that refuse the change stay as they are."""
    before: Platform | None
    """None where there was no such cluster, and where it is not known."""
    refused: frozenset[str]
    """Pools that stay as they are."""

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict; None where nothing changes."""
        return max((each.verdict for each in self.plans), default=None)

    @property
    def is_new(self) -> bool:
        if not self.plans:
            return self.facts.rendered is None and self.facts.live is None
        return self.plans[-1].old is None

    @property
    def is_known(self) -> bool:
        """Whether it is known what it was, were it that there was none."""
        return self.before is not None or self.is_new

    @property
    def missing(self) -> str:
        """What dist/ lacks of it; empty where it lacks nothing."""
        facts, cluster = self.facts, self.facts.platform.cluster
        if facts.rendered is None:
            return f"{cluster.version} is not rendered"
        if not facts.is_whole:
            return f"{cluster.live}, which is live, is not in dist/"
        return "" if facts.is_current else f"{cluster.version} is older than its file"

    @property
    def mending(self) -> str:
        """The command that brings what dist/ lacks; empty where it lacks nothing."""
        if not self.missing:
            return ""
        is_lost = self.facts.rendered is not None and not self.facts.is_whole
        return f"git checkout -- dist/{self.name}" if is_lost else f"gpuplane synth {self.name}"

    def place(self, *path: str | int) -> str:
        """Return the line of its file, or of the fleet's, that states a value."""
        return str(self.facts.platform.mark(path)._replace(column=0))


def cluster_changes(fleet: Fleet, plan: Plan) -> tuple[ClusterChange, ...]:
    """Return all clusters: the worst first, then those that are not rendered, then the others."""
    found = (_change(each, plan) for each in fleet.clusters)
    return tuple(sorted(found, key=_order))


def _order(change: ClusterChange) -> tuple[int, bool, str]:
    worst = -1 if change.verdict is None else change.verdict.value
    return (-worst, not change.missing, change.name)


def _change(facts: FleetCluster, plan: Plan) -> ClusterChange:
    plans = tuple(each for each in plan.clusters if each.cluster == facts.name)
    if not plans:
        same = facts.platform
        before = same if facts.is_whole and facts.is_current else None
        return ClusterChange(facts, (), same, same, before, frozenset())
    asked, before = plans[-1].asked or facts.platform, plans[-1].before
    refused = frozenset(name for each in plans for name in each.refused)
    after = keeping(asked, before, refused)
    return ClusterChange(facts, plans, asked, after, before, refused)


def as_it_goes_live(fleet: Fleet, changes: Iterable[ClusterChange]) -> Fleet:
    """Return the fleet with what goes live of it, where files render other versions by then.

    A roll-back leaves the later version in the file of its cluster.
    """
    live = {each.name: _live(each) for each in changes}
    return replace(fleet, clusters=tuple(live[each.name] for each in fleet.clusters))


def _live(change: ClusterChange) -> FleetCluster:
    facts = change.facts
    is_other = change.asked.cluster.version != facts.platform.cluster.version
    goes_live = bool(change.plans) and not change.plans[-1].is_later
    if is_other and goes_live and facts.live:
        return replace(facts, platform=change.asked, rendered=facts.live)
    return facts


def gone_clusters(plan: Plan, changes: Iterable[ClusterChange]) -> Iterator[ClusterPlan]:
    names = {each.name for each in changes}
    yield from (each for each in plan.clusters if each.cluster not in names)
