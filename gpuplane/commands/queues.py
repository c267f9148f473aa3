import typer

from gpuplane.commands.arguments import AsDocument, print_found
from gpuplane.commands.named_clusters import Clusters
from gpuplane.json_output import ReportKind
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, Section


def queues(
    context: typer.Context, clusters: Clusters = None, *, output: AsDocument = DocumentOutput.TEXT
) -> None:
    """Show each team's quotas, and what it may borrow.

    ```console
    gpuplane queues                  # all clusters
    gpuplane queues training         # one of them
    ```

    What the nodes of each pool offer at most, counted as pods ask for it, how much of that is in
    quotas, and what nobody has; and for each namespace its own, what it borrows and lends, and the
    most that it reaches (docs/queues.md).

    `-o json` prints a `QueueList` of `{cluster, engine, borrowing, pools, namespaces}`.
    """
    from gpuplane.reports.queues import cluster_queues, queues_fields, queues_notes, queues_tables
    from gpuplane.versions.check import selected_platforms

    platforms = selected_platforms(repository_of(context).clusters, clusters or ())
    found = tuple(map(cluster_queues, platforms))
    section = Section("Queues", queues_tables(found), queues_notes(found))
    print_found(ReportKind.QUEUES, queues_fields(found), section, output)
