from dataclasses import replace
from itertools import chain
from typing import Annotated, Literal

import typer

from gpuplane.commands.arguments import FETCHED, AsDocument, Base, BaseExact, PinnedFiles
from gpuplane.commands.named_clusters import ClusterOrOnly
from gpuplane.completion import complete_versions
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, escaped
from gpuplane.terminal import print_styled, print_text, progress

_STYLES = {"+": "green", "-": "red", "~": "yellow"}


def diff(
    context: typer.Context,
    cluster: ClusterOrOnly = "",
    old: Annotated[
        str | None,
        typer.Argument(
            metavar="OLD",
            help="Version; by default the live one.",
            autocompletion=complete_versions,
        ),
    ] = None,
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="NEW",
            help="Version; by default what is rendered.",
            autocompletion=complete_versions,
        ),
    ] = None,
    *,
    base: Base = None,
    base_exact: BaseExact = False,
    mirror: PinnedFiles = None,
    output: AsDocument = DocumentOutput.TEXT,
    fail_on: Annotated[
        Literal["difference", "never"],
        typer.Option("--fail-on", help="Exit with 1 where something differs."),
    ] = "never",
) -> None:
    """Show what differs between two rendered versions.

    ```console
    gpuplane diff training                     # from live to what is rendered
    gpuplane diff training 1.0.0 1.1.0         # between two versions
    gpuplane diff training --base origin/main  # what a pull request changes
    ```

    List items are matched by name where they have one; multi-line strings are compared line by
    line. The folder of the version, which Applications point to, does not count as a difference.
    With `--base`, what Argo CD syncs and what is rendered are compared with their state where this
    branch left a git reference. A cluster file that was edited since it was rendered is rendered
    for it, and nothing is written.

    `-o json` prints a `DifferenceList` of `{cluster, subject, old, new, renderedHere, added,
    removed, changed}`. Each object is `{component, group, kind, namespace, name}`, a changed one
    also has `fields: [{path, old, new}]`; a side without the field has no key.
    """
    from gpuplane.release.edited_tree import tree_to_compare
    from gpuplane.versions.base import find_base
    from gpuplane.versions.comparison import DiffRequest, diff
    from gpuplane.versions.difference_format import text_lines, to_json, to_markdown
    from gpuplane.versions.edited_clusters import edited_line, rendered_here_lines

    repository = repository_of(context)
    compared = find_base(repository.directory, base, is_exact=base_exact)
    request = DiffRequest(repository.clusters, repository.dist, cluster, old, new, compared)
    with progress("rendering what was edited"):
        here = tree_to_compare(request, mirror or repository.directory / FETCHED)
    differences = diff(replace(request, here=here))
    names = here.rendered_here
    said: tuple[str, ...] = ()
    if any(difference.rendered_here for difference in differences):
        said = tuple(rendered_here_lines(names, here.cut))
    elif names and not here.cut:
        print_styled(f"warning: {edited_line(names, 'run', 'synth')}", err=True)
    match output:
        case DocumentOutput.JSON:
            print_report(ReportKind.DIFFERENCES, {"items": to_json(differences)})
        case DocumentOutput.MARKDOWN:
            above = (f"**{escaped(line)}**\n" for line in said)
            print_text("\n".join((*above, *map(to_markdown, differences))))
        case DocumentOutput.TEXT:
            for line in said:
                print_styled(line, "yellow")
            for line in chain.from_iterable(map(text_lines, differences)):
                print_styled(line, _STYLES.get(line.lstrip()[:1]))
    if fail_on != "never" and any(difference.objects for difference in differences):
        raise typer.Exit(ExitCode.FINDINGS)
