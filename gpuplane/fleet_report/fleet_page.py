"""The page that `gpuplane report` writes: its leading number, and its sections in order."""

import datetime as dt
from collections.abc import Iterable, Sequence
from pathlib import Path

from charts_py.platform.platform import Platform
from charts_py.platform.tool_version import tool_version
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of, newest_commit_day
from gpuplane.fleet_report.report_page import LeadingNumber, ReportPage
from gpuplane.fleet_report.sections.clusters import clusters_section
from gpuplane.fleet_report.sections.cost import cost_section
from gpuplane.fleet_report.sections.differences import differences_section
from gpuplane.fleet_report.sections.limits import limits_section
from gpuplane.fleet_report.sections.network import network_section
from gpuplane.fleet_report.sections.policies import policies_section
from gpuplane.fleet_report.sections.pools import pools_section
from gpuplane.fleet_report.sections.priorities import priorities_section
from gpuplane.fleet_report.sections.quotas import quotas_section
from gpuplane.fleet_report.sections.taints import taints_section
from gpuplane.plan.plan import Plan
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.reports.cost.cost_item import Figure
from gpuplane.reports.cost.cost_statement import CostStatement, cost_statement, gpus_of, number_of
from gpuplane.versions.check import selected_platforms


def report_of(
    clusters: Path,
    dist: Path,
    names: Sequence[str] = (),
    as_of: dt.date | None = None,
    base: str | None = None,
) -> ReportPage:
    """Return the page of these clusters, or of all without names.

    The day is by default that of the newest commit. With `base`, a git reference, its state is
    compared; otherwise what is live, with what is rendered.

    Raises SpecError with every fault of the cluster files, RenderError for an unknown name and
    where there is no day, DistError where `dist/` is damaged and for an unknown reference, GitError
    where git cannot answer.
    """
    platforms = selected_platforms(clusters, names)
    fleet = fleet_of(platforms, dist, as_of or newest_commit_day(clusters))
    # Of a cluster that was never rendered, nothing is known that could change.
    known = tuple(each.name for each in fleet.clusters if each.rendered or each.live)
    request = PlanRequest(clusters, dist, fleet.as_of, known, base)
    return fleet_page(fleet, plan(request) if known else Plan(base, (), ()))


def fleet_page(fleet: Fleet, plan: Plan) -> ReportPage:
    statement = cost_statement(fleet.platforms)
    return ReportPage(
        clusters=tuple(cluster.name for cluster in fleet.clusters),
        as_of=fleet.as_of,
        tool_version=tool_version(),
        lead=_leading_number(fleet.platforms, statement),
        sections=(
            clusters_section(fleet, statement),
            differences_section(plan),
            pools_section(fleet),
            quotas_section(fleet),
            priorities_section(fleet),
            network_section(fleet),
            taints_section(fleet),
            cost_section(fleet, statement),
            policies_section(fleet),
            limits_section(fleet, statement),
        ),
    )


def _leading_number(platforms: Iterable[Platform], statement: CostStatement) -> LeadingNumber:
    """Return the part of the GPUs of all pools at their largest that quotas reserve."""
    reserved, largest, kept = (
        gpus_of(statement, figure) for figure in (Figure.RESERVED, Figure.AT_MAX, Figure.AT_MIN)
    )
    # Which no quota can have.
    slurm = sum(
        platform.cluster.slurm_nodes(pool.name) * pool.hardware.gpus
        for platform in platforms
        for pool in platform.pools
    )
    given = f"{slurm} GPUs are those of Slurm. " if slurm else ""
    return LeadingNumber(
        part=float(reserved),
        whole=float(largest),
        statement="of the fleet's GPUs are in the quotas of teams",
        formula=(
            "sum of (quota x GPUs of an allocation) ÷ sum of (most nodes x GPUs of a node) = "
            f"{number_of(reserved)} ÷ {number_of(largest)}"
        ),
        explanation=(
            f"{given}{number_of(largest - reserved - slurm)} GPUs are in nobody's quota, so no "
            f"team can count on them. {number_of(kept)} of all are kept running; the others "
            "start when pods wait for them. What is reserved need not be used: use is not measured "
            "here."
        ),
    )
