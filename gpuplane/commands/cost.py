"""`gpuplane cost`."""

from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import AsDocument, Clusters
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, print_section

if TYPE_CHECKING:
    from gpuplane.reports.cost.cost_request import CostRequest


def cost(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Annotated[
        str | None, typer.Option(metavar="REF", help="Show what changed since a git reference.")
    ] = None,
    output: AsDocument = DocumentOutput.TEXT,
    fail_over_budget: Annotated[
        bool,
        typer.Option(
            "--fail-over-budget",
            help="Exit with 1 where quotas reserve more than a team's budget; with --base, where "
            "they do, and by more than before.",
        ),
    ] = False,
) -> None:
    """Show what the nodes of pools cost, and what teams have reserved of them.

    Three figures that are never added up: the nodes that are kept, the most nodes that there can
    be, and what quotas allow teams. Prices are those of the cluster file, or else what the cloud
    lists (docs/cost.md). With `--base`, what the change since a git reference costs or saves in a
    month. Where quotas reserve more than the budget of a team, that is shown first.

    ```console
    gpuplane cost                                         # all clusters
    gpuplane cost training --base origin/main             # what a pull request costs
    gpuplane cost --base origin/main -o markdown          # as a comment on it
    gpuplane cost --base origin/main --fail-over-budget   # as a check of it
    ```

    `-o json` prints a `Cost` with `pools`, `sums` of `{by, name, currency, figure, gpus, hour,
    month, without}`, `budgets` of `{cluster, team, currency, month, reserved, above, without}` and
    `unpriced` pools; with `--base` a `CostChangeList` of `{by, name, currency, figure, before,
    after, difference}`, by month, and `budgets` that change, as `{before, after, exceeds}`. What is
    not known is null.
    """
    from gpuplane.reports.cost.cost_request import CostRequest

    request = CostRequest(repository_of(context).clusters, tuple(clusters or ()))
    if base is None:
        is_over_budget = _print_statement(request, output)
    else:
        is_over_budget = _print_comparison(request, base, output)
    if fail_over_budget and is_over_budget:
        raise typer.Exit(ExitCode.FINDINGS)


def _print_statement(request: "CostRequest", output: DocumentOutput) -> bool:
    """Print what clusters cost; return whether quotas reserve more than some budget."""
    from gpuplane.reports.cost.cost_report import (
        budget_notes,
        statement_fields,
        statement_notes,
        statement_tables,
    )
    from gpuplane.reports.cost.cost_request import state_cost
    from gpuplane.tables import Section

    statement = state_cost(request)
    if output is DocumentOutput.JSON:
        print_report(ReportKind.COST, statement_fields(statement))
    else:
        first, notes = budget_notes(statement.plans), statement_notes(statement.unpriced)
        print_section(Section("Cost", statement_tables(statement), notes, first), output)
    return any(plan.above for plan in statement.plans)


def _print_comparison(request: "CostRequest", base: str, output: DocumentOutput) -> bool:
    """Print what a change costs; return whether it exceeds some budget by more than before."""
    from gpuplane.reports.cost.cost_report import (
        budget_change_notes,
        change_table,
        comparison_fields,
        comparison_notes,
    )
    from gpuplane.reports.cost.cost_request import compare_cost
    from gpuplane.tables import Section

    comparison = compare_cost(request, base)
    if output is DocumentOutput.JSON:
        print_report(ReportKind.COST_CHANGES, comparison_fields(comparison))
    else:
        table, notes = change_table(comparison.changes), comparison_notes(comparison.unpriced)
        first = budget_change_notes(comparison.budgets)
        print_section(Section(f"Cost since {base}", (table,), notes, first), output)
    return any(change.exceeds for change in comparison.budgets)
