"""What the fleet costs."""

from gpuplane.fleet_report.bar_chart import Bar, BarChart, BarLayout
from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.report_page import ReportSection, report_section, whole_table
from gpuplane.reports.cost.cost_item import Figure, View, add_up
from gpuplane.reports.cost.cost_report import budget_notes, statement_notes, statement_tables
from gpuplane.reports.cost.cost_statement import CostStatement

_CAPTIONS = (
    ("prices", "What a node costs"),
    ("cost-pools", "By pool"),
    ("cost-clusters", "By cluster"),
    ("cost-purchase", "By purchase"),
    ("cost-teams", "By team"),
    ("cost-centres", "By cost centre"),
    ("cost-namespaces", "By namespace"),
    ("budgets", "Budgets"),
)
"""Names and captions of the tables, in the order in which `gpuplane cost` prints them."""

_SHOWN = ("cost-clusters", "cost-teams", "budgets")


def cost_section(fleet: Fleet, statement: CostStatement) -> ReportSection:
    tables = [
        whole_table(name, caption, table, folded=name not in _SHOWN)
        for (name, caption), table in zip(_CAPTIONS, statement_tables(statement), strict=False)
    ]
    by_use = sorted(tables, key=lambda table: table.folded)
    notes = map(fleet.from_root, statement_notes(statement.unpriced))
    first = budget_notes(statement.plans)
    return report_section("cost", *_charts(statement), *by_use, first=first, notes=notes)


def _charts(statement: CostStatement) -> list[BarChart]:
    sums = [each for each in add_up(statement.items, View.CLUSTER) if each.month is not None]
    return [
        BarChart(
            name=f"cost-{currency}",
            title=f"{currency} a month by cluster, as far as prices are known",
            description="Three bars a cluster. The table By cluster has the same numbers.",
            axis=f"{currency} a month",
            layout=BarLayout.BESIDE,
            series=tuple(figure.words for figure in Figure),
            bars=tuple(
                Bar(each.name, each.figure.words, each.month)
                for each in sums
                if each.currency == currency and each.month is not None
            ),
        )
        for currency in sorted({each.currency for each in sums})
    ]
