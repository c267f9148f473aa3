from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gpuplane.commands.arguments import AsDocument, Base, BaseExact, Detail, print_found
from gpuplane.commands.named_clusters import Clusters
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, attributes, json_value
from gpuplane.platform_repository import PlatformRepository, repository_of
from gpuplane.tables import DocumentOutput, Section, without_repetition

if TYPE_CHECKING:
    from gpuplane.plan.promoted_cost import PromotedCost
    from gpuplane.versions import base as versions_base


def cost(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Base = None,
    base_exact: BaseExact = False,
    detail: Detail = False,
    output: AsDocument = DocumentOutput.TEXT,
    fail_on: Annotated[
        Literal["over-budget", "never"],
        typer.Option(
            "--fail-on",
            help="Exit with 1 where quotas reserve more than a team's budget (with --base, and by "
            "more than before).",
        ),
    ] = "never",
) -> None:
    """Show what pools cost, and what teams have reserved.

    ```console
    gpuplane cost                                   # all clusters
    gpuplane cost training --detail                 # everything about one of them
    gpuplane cost training --base origin/main       # what a change costs
    gpuplane cost --base origin/main -o markdown    # for a pull request
    gpuplane cost --base origin/main --fail-on over-budget
    ```

    A sentence and a table with three figures that are never added up: the nodes that are kept, the
    most nodes that there can be, and what quotas allow teams. `--detail` adds prices, sums by
    cluster, purchase, team, cost center and namespace, budgets, and why a pool has no price. Prices
    are those of the cluster file, or else what the cloud lists (docs/cost.md). With `--base`, what
    the change since this branch left a git reference costs or saves in a month. Cost is that of
    cluster files: where another version is live, a note says so, and where another one goes live
    since the reference, what that costs.

    `-o json` prints a `Cost` with `pools`, `sums` of `{by, name, currency, figure, gpus, hour,
    month, without}`, `budgets` of `{cluster, team, currency, month, reserved, above, without}`,
    `unpriced` pools and `notLive` of `{cluster, version, live}`; with `--base` a `CostChangeList`
    of `{by, name, currency, figure, before, after, difference}`, by month, `budgets` that change,
    as `{before, after, exceeds}`, `keptPools` of `{cluster, remade}`, which the cloud does not
    change, and `promoted` of `{cluster, old, new, cost, notKnown}`, with the `items` and budgets of
    each that goes live. What is not known is null.
    """
    from gpuplane.versions.base import find_base

    repository, names = repository_of(context), clusters or ()
    folder = repository.clusters
    compared = find_base(folder.parent, base, is_exact=base_exact)
    if compared is None:
        is_over_budget = _print_statement(folder, names, output, is_detailed=detail)
    else:
        is_over_budget = _print_comparison(repository, names, compared, output)
    if is_over_budget and fail_on != "never":
        raise typer.Exit(ExitCode.FINDINGS)


def _print_statement(
    clusters: Path, names: Sequence[str], output: DocumentOutput, *, is_detailed: bool
) -> bool:
    """Print what clusters cost; return whether quotas reserve more than some budget."""
    from gpuplane.reports.cost import cost_report
    from gpuplane.reports.cost.cost_answer import cost_sentence, pool_table
    from gpuplane.reports.cost.cost_statement import cost_statement
    from gpuplane.reports.cost.not_live import not_live, not_live_note
    from gpuplane.versions.check import selected_platforms

    platforms = selected_platforms(clusters, names)
    statement, others = cost_statement(platforms), tuple(not_live(platforms))
    table, said = without_repetition(pool_table(statement))
    budgets = cost_report.budget_notes(statement.plans)
    first = (*budgets, cost_sentence(statement), *not_live_note(others), *said)
    section = Section("Cost", [table], (), first)
    if is_detailed:
        tables = cost_report.statement_tables(statement)
        spare = cost_report.spare_notes(statement.pools)
        notes = (*spare, *cost_report.statement_notes(statement.unpriced))
        section = replace(section, tables=tables, notes=notes)
    fields = {**cost_report.statement_fields(statement), "notLive": json_value(others)}
    print_found(ReportKind.COST, fields, section, output)
    return any(plan.above for plan in statement.plans)


def _print_comparison(
    repository: PlatformRepository,
    names: Sequence[str],
    base: "versions_base.Base",
    output: DocumentOutput,
) -> bool:
    """Print what a change costs; return whether it exceeds some budget by more than before."""
    from gpuplane.plan.compared_cost import compare_cost
    from gpuplane.reports.cost import cost_report

    compared = compare_cost(repository.clusters, repository.dist, names, base)
    comparison = compared.comparison
    section = Section(
        title=f"Cost since {base.reference}",
        tables=[cost_report.change_table(comparison.changes)],
        notes=(*cost_report.comparison_notes(comparison.unpriced), *compared.notes),
        first=cost_report.budget_change_notes(comparison.budgets),
    )
    fields = {
        **cost_report.comparison_fields(comparison),
        "keptPools": json_value(compared.kept),
        "notLive": json_value(compared.not_live),
        "promoted": [_promoted(each) for each in compared.promoted],
    }
    print_found(ReportKind.COST_CHANGES, fields, section, output)
    return any(change.exceeds for change in comparison.budgets)


def _promoted(one: "PromotedCost") -> dict[str, Any]:
    from gpuplane.reports.cost.cost_report import comparison_fields

    return {
        **attributes(one, "cluster", "old", "new"),
        "cost": None if one.comparison is None else comparison_fields(one.comparison),
        **attributes(one, "not_known"),
    }
