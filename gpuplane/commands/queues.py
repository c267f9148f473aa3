"""`gpuplane queues`."""

import typer

from gpuplane.commands.arguments import AsDocument, Clusters
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, print_section


def queues(
    context: typer.Context, clusters: Clusters = None, *, output: AsDocument = DocumentOutput.TEXT
) -> None:
    """Show who has how much of each pool, and what they may borrow.

    What the nodes of each pool offer at most, counted as pods ask for it, how much of that is in
    quotas, and what nobody has; and for each namespace its own, what it borrows and lends, and the
    most that it reaches (docs/queues.md).

    ```console
    gpuplane queues                  # all clusters
    gpuplane queues training         # one of them
    ```

    `-o json` prints a `QueueList` of `{cluster, engine, borrowing, pools, namespaces}`.
    """
    from gpuplane.reports.queues import queues_fields, queues_notes, queues_of, queues_tables
    from gpuplane.tables import Section

    found = queues_of(repository_of(context).clusters, tuple(clusters or ()))
    if output is DocumentOutput.JSON:
        print_report(ReportKind.QUEUES, queues_fields(found))
    else:
        section = Section("Queues", queues_tables(found), queues_notes(found))
        print_section(section, output)
