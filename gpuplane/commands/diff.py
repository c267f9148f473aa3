from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gpuplane.commands.arguments import FETCHED, AsDocument, Base, BaseExact, PinnedFiles
from gpuplane.commands.named_clusters import clusters_and_versions, only_cluster, split_versions
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, escaped
from gpuplane.terminal import print_styled, print_text, progress

if TYPE_CHECKING:
    from gpuplane.versions.comparison import DiffRequest, VersionDifference

_STYLES = {"+": "green", "-": "red", "~": "yellow"}


def diff(
    context: typer.Context,
    clusters: Annotated[
        list[str] | None,
        clusters_and_versions(
            "By default the only cluster, or all with --base; from live to rendered."
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
    gpuplane diff --base origin/main           # what a pull request changes
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
    from gpuplane.versions.base import find_base
    from gpuplane.versions.comparison import DiffRequest, cluster_names
    from gpuplane.versions.difference_format import text_lines, to_json, to_markdown

    names, versions = split_versions(clusters)
    if versions and len(names) > 1:
        raise typer.BadParameter("versions are of one cluster; name exactly one CLUSTER")
    repository = repository_of(context)
    compared = find_base(repository.directory, base, is_exact=base_exact)
    if not names and (versions or compared is None):
        names = (only_cluster(context),)
    old, new, *_ = (*versions, None, None)
    asked = DiffRequest(repository.clusters, repository.dist, "", old, new, compared)
    with progress("rendering what was edited"):
        found = [
            _differences(replace(asked, cluster=name), mirror or repository.directory / FETCHED)
            for name in cluster_names(asked, names)
        ]
    said = [line for lines, _ in found for line in lines]
    differences = [each for _, every in found for each in every]
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


def _differences(
    request: "DiffRequest", mirror: Path
) -> "tuple[tuple[str, ...], tuple[VersionDifference, ...]]":
    """Return what is to be said of a cluster file that was edited, and what differs."""
    from gpuplane.release.edited_tree import tree_to_compare
    from gpuplane.versions.comparison import diff
    from gpuplane.versions.edited_clusters import edited_line, rendered_here_lines

    here = tree_to_compare(request, mirror)
    names, differences = here.rendered_here, diff(replace(request, here=here))
    if any(difference.rendered_here for difference in differences):
        return tuple(rendered_here_lines(names, here.cut)), differences
    if names and not here.cut:
        print_styled(f"warning: {edited_line(names, 'run', 'synth')}", err=True)
    return (), differences
