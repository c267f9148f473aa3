import typer

from gpuplane.commands.arguments import AsDocument, Detail, print_found
from gpuplane.commands.named_clusters import Clusters
from gpuplane.json_output import ReportKind
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, Section


def priorities(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    detail: Detail = False,
    output: AsDocument = DocumentOutput.TEXT,
) -> None:
    """Show which pods can preempt which when GPUs are full.

    ```console
    gpuplane priorities                     # all clusters
    gpuplane priorities training --detail   # everything about one of them
    ```

    A sentence says on which pools namespaces evict each other's pods, and a table whose pods evict
    whose on each. `--detail` adds the classes and who may use them (docs/priorities.md).

    `-o json` prints a `PriorityLadderList` of `{cluster, classes, evictions,
    poolsWithoutPreemption, extended}`, and `disruptions` of `{what, budgets, source}`.
    """
    from gpuplane.reports.priorities import (
        cluster_priorities,
        detailed_tables,
        eviction_table,
        evictions_sentence,
        exceptions_notes,
        priorities_fields,
    )
    from gpuplane.versions.check import selected_platforms

    platforms = selected_platforms(repository_of(context).clusters, clusters or ())
    found = tuple(map(cluster_priorities, platforms))
    tables = (eviction_table(found), *(detailed_tables(found) if detail else ()))
    shown = tuple(table for table in tables if table.rows)
    section = Section("Priorities", shown, exceptions_notes(found), (evictions_sentence(found),))
    print_found(ReportKind.PRIORITIES, priorities_fields(found), section, output)
