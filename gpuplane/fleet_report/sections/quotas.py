"""What namespaces may borrow of each other."""

from charts_py.cluster_file.fault import counted
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import ReportSection, joined_tables, report_section
from gpuplane.reports.queues import cluster_queues, namespace_table, queues_notes


def quotas_section(fleet: Fleet) -> ReportSection:
    ledgers = [cluster_queues(each) for each in fleet.platforms]
    lines = [line for each in ledgers for line in each.namespaces]
    borrowing = len({line.namespace for line in lines if line.borrowed})
    without = sum(each.queues is None for each in ledgers)
    finding = f"{counted(borrowing, 'namespace')} may borrow what others leave unused"
    if without:
        finding += f"; {counted(without, 'cluster')} without queues, where nobody borrows"
    tables = {each.cluster: namespace_table(each) for each in ledgers if each.namespaces}
    table = joined_tables("Quotas and what may be borrowed, in allocations", tables, "Pool")
    return report_section("borrowing", finding, table, notes=queues_notes(ledgers))
