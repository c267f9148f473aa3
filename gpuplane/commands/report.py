"""`gpuplane report`."""

import datetime as dt
from enum import StrEnum
from typing import Annotated

import typer

from gpuplane.commands.arguments import Clusters
from gpuplane.commands.diff import Base
from gpuplane.platform_repository import repository_of
from gpuplane.report import ReportKind, print_report
from gpuplane.terminal import print_document


class PageOutput(StrEnum):
    """What is printed."""

    HTML = "html"
    MARKDOWN = "markdown"
    JSON = "json"


AsPage = Annotated[
    PageOutput, typer.Option("--output", "-o", help="What to print; Markdown is GitHub's.")
]
AsOf = Annotated[
    dt.datetime | None,
    typer.Option(
        "--as-of",
        formats=["%Y-%m-%d"],
        metavar="YYYY-MM-DD",
        help="The day by which exceptions end; by default that of the newest commit.",
        show_default=False,
    ),
]


def report(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Base = None,
    as_of: AsOf = None,
    output: AsPage = PageOutput.HTML,
) -> None:
    """Show the whole fleet on one page: a single file that loads nothing.

    How much of its GPUs is in quotas; components by version, live and rendered; pools from GPUs to
    allocations; quotas against capacity; who evicts whom; who can talk to whom; taints; cost;
    policies and their exceptions; and what is not known. What `gpuplane plan` says is part of it:
    from what is live to what is rendered, or, with `--base`, what changed since a git reference.
    Same files, same bytes (docs/report.md).

    ```console
    gpuplane report > report.html           # all clusters
    gpuplane report training > report.html  # one of them
    gpuplane report --base origin/main > report.html
    gpuplane report -o markdown             # without pictures
    ```

    `-o json` prints a `FleetReport` with `lead` of `{part, whole, statement, formula,
    explanation}` and `sections` of `{name, title, summary, first, tables, notes, command}`; tables
    have `{name, caption, columns, rows}`, their cells as people read them.
    """
    from charts_py.fleet_report.fleet_request import FleetRequest, report_of

    repository = repository_of(context)
    day = as_of.date() if as_of else None
    request = FleetRequest(repository.clusters, repository.dist, tuple(clusters or ()), day, base)
    page = report_of(request)
    match output:
        case PageOutput.HTML:
            from charts_py.fleet_report.formats.html_format import page_html

            print_document(page_html(page))
        case PageOutput.MARKDOWN:
            from charts_py.fleet_report.formats.markdown_format import page_markdown

            print_document(page_markdown(page))
        case PageOutput.JSON:
            from charts_py.fleet_report.formats.json_format import page_fields

            print_report(ReportKind.FLEET, page_fields(page))
