"""The page that `gpuplane report` writes: first what changes, then who has the GPUs."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from charts_py.platform.tool_version import tool_version
from gpuplane.fleet_report.answer import answer
from gpuplane.fleet_report.cluster_change import as_it_goes_live, cluster_changes
from gpuplane.fleet_report.decisions import decisions
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of, newest_commit_day
from gpuplane.fleet_report.report_page import ReportPage
from gpuplane.fleet_report.rows import cluster_rows, pool_rows, team_rows
from gpuplane.fleet_report.sections.clusters import versions_section
from gpuplane.fleet_report.sections.differences import differences_section
from gpuplane.fleet_report.sections.limits import limits_section
from gpuplane.fleet_report.sections.network import network_section
from gpuplane.fleet_report.sections.policies import policies_section
from gpuplane.fleet_report.sections.reports import (
    prices_section,
    priorities_section,
    quotas_section,
)
from gpuplane.fleet_report.sections.taints import taints_section
from gpuplane.plan.plan import Plan
from gpuplane.plan.planning import PlanRequest, plan_change
from gpuplane.reports.cost.cost_statement import cost_statement
from gpuplane.versions.base import Base
from gpuplane.versions.check import selected_platforms
from gpuplane.versions.comparison import DiffRequest, cluster_names
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.snapshot import WorkTree


def report_of(
    clusters: Path,
    dist: Path,
    names: Sequence[str] = (),
    as_of: dt.date | None = None,
    base: Base | None = None,
    here: WorkTree | None = None,
) -> ReportPage:
    """Return the page of these clusters, or of all without names.

    The day is by default that of the newest commit. `base` is compared with, by default as
    `plan_change` does it. `here` may hold what cluster files render that were edited.

    Raises SpecError with every fault of the cluster files, RenderError for an unknown name,
    DistError where `dist/` is damaged, GitError where git cannot answer.
    """
    platforms = selected_platforms(clusters, names)
    here = here or WorkTree()
    fleet = fleet_of(platforms, dist, as_of or newest_commit_day(clusters), here)
    # Of a cluster that is not rendered, nothing is known that could change.
    known = tuple(each.name for each in fleet.clusters if each.is_whole)
    since = base or MainBranch(clusters).base
    gone = () if names or since is None else _gone(clusters, dist, fleet, since)
    request = PlanRequest(clusters, dist, fleet.as_of, (*known, *gone), base, here)
    return fleet_page(fleet, plan_change(request) if request.names else Plan(base, (), ()))


def _gone(clusters: Path, dist: Path, fleet: Fleet, base: Base) -> tuple[str, ...]:
    """Return the clusters that were rendered at the base, and have no file any more."""
    here = {each.name for each in fleet.clusters}
    every = cluster_names(DiffRequest(clusters, dist, "", base=base))
    return tuple(name for name in every if name not in here)


def fleet_page(fleet: Fleet, plan: Plan) -> ReportPage:
    changes = cluster_changes(fleet, plan)
    live = as_it_goes_live(fleet, changes)
    statement = cost_statement(live.platforms)
    return ReportPage(
        as_of=fleet.as_of,
        tool_version=tool_version(),
        base=plan.base,
        answer=answer(fleet, plan, changes),
        decisions=decisions(fleet, plan, changes),
        clusters=tuple(cluster_rows(plan, changes)),
        pools=tuple(pool_rows(changes)),
        teams=tuple(team_rows(changes)),
        sections=(
            *differences_section(plan),
            versions_section(fleet),
            quotas_section(live),
            priorities_section(live),
            network_section(live),
            policies_section(live),
            taints_section(live),
            prices_section(live, statement),
            limits_section(live),
        ),
    )
