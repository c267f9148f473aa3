"""`gpuplane priorities`."""

import typer

from gpuplane.commands.arguments import AsDocument, Clusters
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, print_section


def priorities(
    context: typer.Context, clusters: Clusters = None, *, output: AsDocument = DocumentOutput.TEXT
) -> None:
    """Show whose pods may evict whose, where they find no room.

    The priority classes of clusters and who may use them; who evicts whom, by class, and by
    namespace on each pool that several may use; and what waits for PodDisruptionBudgets
    (docs/priorities.md).

    ```console
    gpuplane priorities                  # all clusters
    gpuplane priorities training         # one of them
    ```

    `-o json` prints a `PriorityLadderList` of `{cluster, classes, evictions,
    poolsWithoutPreemption, extended}`, and `disruptions` of `{what, budgets, source}`.
    """
    from gpuplane.reports.priorities import priorities_of
    from gpuplane.reports.priorities_report import (
        priorities_fields,
        priorities_notes,
        priorities_tables,
    )
    from gpuplane.tables import Section

    found = priorities_of(repository_of(context).clusters, tuple(clusters or ()))
    if output is DocumentOutput.JSON:
        print_report(ReportKind.PRIORITIES, priorities_fields(found))
    else:
        section = Section("Priorities", priorities_tables(found), priorities_notes(found))
        print_section(section, output)
