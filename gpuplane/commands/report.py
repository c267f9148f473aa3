import datetime as dt
from pathlib import Path
from typing import Annotated, Literal

import typer

from gpuplane.commands.arguments import FETCHED, Base, BaseExact, PinnedFiles, calendar_day
from gpuplane.commands.named_clusters import Clusters
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_document, print_text, progress
from gpuplane.written_files import check_in_repository


def report(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Base = None,
    base_exact: BaseExact = False,
    as_of: Annotated[
        dt.date | None,
        typer.Option(
            "--as-of",
            parser=calendar_day,
            metavar="YYYY-MM-DD",
            help="Count the days left to exceptions from this day; by default, the day of the "
            "newest commit, or today without one.",
        ),
    ] = None,
    file: Annotated[
        Path,
        typer.Option("--file", "-f", metavar="FILE", help="Where to write the page; - for stdout."),
    ] = Path("report.html"),
    mirror: PinnedFiles = None,
    output: Annotated[
        Literal["html", "markdown", "json"], typer.Option("--output", "-o", help="What to print.")
    ] = "html",
) -> None:
    """Show the whole fleet on one page.

    ```console
    gpuplane report                          # all clusters, to report.html
    gpuplane report training --file one.html # one of them
    gpuplane report --base origin/main --file - | gzip > report.gz
    gpuplane report -o markdown              # without pictures
    ```

    It says first what a change does since a git reference, by default as `gpuplane plan` does, and
    what is to be decided. Then it shows each cluster before and after, who has the GPUs of each
    pool, and what teams reserve of their budgets. Components, evictions, network, rules, taints and
    prices are folded. A cluster file that was edited since it was rendered is rendered for it, and
    nothing is written. The same files give the same bytes (docs/report.md).

    `-o json` prints a `FleetReport` with `answer`, `decisions`, `clusters`, `pools`, `teams` and
    `sections` of `{name, title, finding, summary, tables, notes, command}`; figures are numbers.
    """
    from gpuplane.fleet_report.fleet_page import report_of
    from gpuplane.release.edited_tree import edited_tree
    from gpuplane.versions.base import find_base

    repository = repository_of(context)
    compared = find_base(repository.directory, base, is_exact=base_exact)
    folders, names = (repository.clusters, repository.dist), clusters or ()
    with progress("rendering what was edited"):
        here = edited_tree(*folders, names, mirror or repository.directory / FETCHED)
    with progress("reading the fleet"):
        page = report_of(*folders, names, as_of, compared, here)
    match output:
        case "html":
            from gpuplane.fleet_report.html_format import page_html

            _write(file, page_html(page))
        case "markdown":
            from gpuplane.fleet_report.markdown_format import page_markdown

            print_text(page_markdown(page))
        case "json":
            from gpuplane.fleet_report.json_format import page_fields

            print_report(ReportKind.FLEET, page_fields(page))


def _write(file: Path, page: str) -> None:
    if file == Path("-"):
        print_document(page)
        return
    check_in_repository(file)
    file.write_text(page, encoding="utf-8")
    typer.echo(f"wrote {file}; open it in a browser", err=True)
