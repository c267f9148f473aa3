"""The page, from the facts of the fleet."""

from charts_py.cost.cost_statement import cost_statement
from charts_py.fleet_report.fleet_facts import Fleet
from charts_py.fleet_report.lead import leading_number
from charts_py.fleet_report.report_page import ReportPage
from charts_py.fleet_report.sections.clusters import clusters_section
from charts_py.fleet_report.sections.cost import cost_section
from charts_py.fleet_report.sections.differences import differences_section
from charts_py.fleet_report.sections.limits import limits_section
from charts_py.fleet_report.sections.network import network_section
from charts_py.fleet_report.sections.policies import policies_section
from charts_py.fleet_report.sections.pools import pools_section
from charts_py.fleet_report.sections.priorities import priorities_section
from charts_py.fleet_report.sections.quotas import quotas_section
from charts_py.fleet_report.sections.taints import taints_section
from charts_py.plan.plan import Plan
from charts_py.platform.tool_version import tool_version


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
