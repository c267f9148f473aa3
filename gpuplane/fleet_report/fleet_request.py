"""What `gpuplane report` is asked for: clusters, and the day."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.cluster_files import ClusterFiles, find_cluster_files
from charts_py.load import load_platforms
from gpuplane.fleet_report.as_of import newest_commit_day
from gpuplane.fleet_report.build_page import build_page
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of
from gpuplane.fleet_report.report_page import ReportPage
from gpuplane.plan.plan import Plan
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.versions.selected_clusters import selected_clusters


@dataclass(frozen=True, slots=True)
class FleetRequest:
    """The clusters to show."""

    clusters: Path
    """Folder of the cluster files."""
    dist: Path
    """Folder of what they render."""
    names: tuple[str, ...] = ()
    """Of clusters; empty for all."""
    as_of: dt.date | None = None
    """The day; by default that of the newest commit."""
    base: str | None = None
    """Git reference whose state is compared; by default what is live, with what is rendered."""


def report_of(request: FleetRequest) -> ReportPage:
    """Return the page.

    Raises SpecError with every fault of the cluster files, RenderError for an unknown name and
    where there is no day, DistError where `dist/` is damaged and for an unknown reference, GitError
    where git cannot answer.
    """
    files = find_cluster_files(request.clusters)
    chosen = ClusterFiles(files.fleet, selected_clusters(files, request.names))
    platforms = load_platforms(chosen)
    as_of = request.as_of or newest_commit_day(request.clusters)
    fleet = fleet_of(platforms, request.dist, as_of)
    return build_page(fleet, _planned(request, fleet))


def _planned(request: FleetRequest, fleet: Fleet) -> Plan:
    """Return what changes; of a cluster that was never rendered, nothing is known."""
    names = tuple(each.name for each in fleet.clusters if each.rendered or each.live)
    if not names:
        return Plan(request.base, (), ())
    asked = PlanRequest(request.clusters, request.dist, fleet.as_of, names, request.base)
    return plan(asked)
