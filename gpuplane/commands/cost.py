"""`gpuplane cost`."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Clusters
from gpuplane.platform_repository import repository_of
from gpuplane.report import ReportKind, print_report
from gpuplane.table import new_table, print_table
from gpuplane.terminal import print_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from charts_py.cost.cost_request import CostRequest
    from charts_py.cost.cost_table import CostTable


class CostOutput(StrEnum):
    """What is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


Base = Annotated[
    str | None, typer.Option(metavar="REF", help="Tell what changed since a git reference.")
]
AsOutput = Annotated[
    CostOutput,
    typer.Option("--output", "-o", help="What to print; Markdown is GitHub's, for a comment."),
]


def cost(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Base = None,
    output: AsOutput = CostOutput.TEXT,
) -> None:
    """Tell what the nodes of pools cost, and what teams have reserved of them.

    Three figures that are never added up: the nodes that are kept, the most nodes that there can
    be, and what quotas allow teams. Prices are those of the cluster file, or else what the cloud
    lists (docs/cost.md). With `--base`, what the change since a git reference costs or saves in a
    month.

    ```console
    gpuplane cost                                    # all clusters
    gpuplane cost training --base origin/main        # what a pull request costs
    gpuplane cost --base origin/main -o markdown     # as a comment on it
    ```

    `-o json` prints a `Cost` with `pools`, `sums` of `{by, name, currency, figure, gpus, hour,
    month, without}` and `unpriced` pools; with `--base` a `CostChangeList` of `{by, name,
    currency, figure, before, after, difference}`, by month. What is not known is null.
    """
    from charts_py.cost.cost_request import CostRequest

    request = CostRequest(repository_of(context).clusters, tuple(clusters or ()))
    if base is None:
        _print_statement(request, output)
    else:
        _print_comparison(request, base, output)


def _print_statement(request: "CostRequest", output: CostOutput) -> None:
    from charts_py.cost.cost_notes import statement_notes
    from charts_py.cost.cost_request import state_cost
    from charts_py.cost.cost_table import statement_tables
    from charts_py.cost.json_format import statement_fields

    statement = state_cost(request)
    if output is CostOutput.JSON:
        print_report(ReportKind.COST, statement_fields(statement))
    else:
        notes = statement_notes(statement.unpriced)
        _print_tables("Cost", statement_tables(statement), notes, output)


def _print_comparison(request: "CostRequest", base: str, output: CostOutput) -> None:
    from charts_py.cost.cost_notes import comparison_notes
    from charts_py.cost.cost_request import compare_cost
    from charts_py.cost.cost_table import change_table
    from charts_py.cost.json_format import comparison_fields

    comparison = compare_cost(request, base)
    if output is CostOutput.JSON:
        print_report(ReportKind.COST_CHANGES, comparison_fields(comparison))
    else:
        table, notes = change_table(comparison.changes), comparison_notes(comparison.unpriced)
        _print_tables(f"Cost since {base}", (table,), notes, output)


def _print_tables(
    title: str,
    tables: "Iterable[CostTable]",
    notes: "Iterable[str]",
    output: CostOutput,
) -> None:
    from charts_py.cost.markdown_format import to_markdown

    if output is CostOutput.MARKDOWN:
        print_document(to_markdown(title, tables, notes))
        return
    for each in tables:
        table = new_table(*each.headers)
        for column in table.columns[each.words :]:
            column.justify = "right"
        for row in each.rows:
            table.add_row(*row)
        print_table(table)
    for note in notes:
        typer.echo(note)
