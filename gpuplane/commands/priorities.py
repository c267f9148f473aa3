"""`gpuplane priorities`."""

import typer

from gpuplane.commands.arguments import AsDocument, print_found
from gpuplane.commands.named_clusters import Clusters
from gpuplane.json_output import ReportKind
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, Section


def priorities(
    context: typer.Context, clusters: Clusters = None, *, output: AsDocument = DocumentOutput.TEXT
) -> None:
    """Show which pods can preempt which when GPUs are full.

    ```console
    gpuplane priorities                  # all clusters
    gpuplane priorities training         # one of them
    ```

    The priority classes of clusters and who may use them; who evicts whom, by class, and by
    namespace on each pool that several may use; and what waits for PodDisruptionBudgets
    (docs/priorities.md).

    `-o json` prints a `PriorityLadderList` of `{cluster, classes, evictions,
    poolsWithoutPreemption, extended}`, and `disruptions` of `{what, budgets, source}`.
    """
    from gpuplane.reports.priorities import (
        cluster_priorities,
        priorities_fields,
        priorities_notes,
        priorities_tables,
    )
    from gpuplane.versions.check import selected_platforms

    platforms = selected_platforms(repository_of(context).clusters, clusters or ())
    found = tuple(map(cluster_priorities, platforms))
    section = Section("Priorities", priorities_tables(found), priorities_notes(found))
    print_found(ReportKind.PRIORITIES, priorities_fields(found), section, output)
