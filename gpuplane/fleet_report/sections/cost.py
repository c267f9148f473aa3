"""What a node of each pool costs, and what is not known of that."""

from charts_py.cluster_file.fault import counted
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import ReportSection, cells, report_section, report_table
from gpuplane.reports.cost.cost_report import statement_notes, statement_tables
from gpuplane.reports.cost.cost_statement import CostStatement


def prices_section(fleet: Fleet, statement: CostStatement) -> ReportSection:
    prices = next(statement_tables(statement))
    rows = (cells(*row) for row in prices.rows)
    table = report_table("What a node costs an hour", prices.headers, rows, words=prices.words)
    without = len(statement.unpriced)
    finding = f"{without} of {counted(len(statement.pools), 'pool')} have none"
    notes = map(fleet.from_root, statement_notes(statement.unpriced))
    return report_section("prices", finding, table, notes=notes)
