"""The page, from the facts of the fleet."""

from charts_py.platform.tool_version import tool_version
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.lead import leading_number
from gpuplane.fleet_report.report_page import ReportPage
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
from gpuplane.reports.cost.cost_statement import cost_statement


def build_page(fleet: Fleet, plan: Plan) -> ReportPage:
    """Return the page of the fleet, and of what a change does to it."""
    statement = cost_statement(fleet.platforms)
    return ReportPage(
        clusters=tuple(cluster.name for cluster in fleet.clusters),
        as_of=fleet.as_of,
        tool_version=tool_version(),
        lead=leading_number(fleet.platforms, statement),
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
