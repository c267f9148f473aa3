"""`gpuplane prune`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import FETCHED, Clusters
from gpuplane.commands.confirmation import Yes, confirm
from gpuplane.commands.main_branch import MainBranch, missing_main_branch
from gpuplane.commands.synth import PinnedFiles
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from charts_py.promotion.pruning import Pruning

Keep = Annotated[
    int,
    typer.Option(
        metavar="N", min=0, help="How many released versions stay besides those that are needed."
    ),
]


def prune(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    keep: Keep,
    yes: Yes = False,
    main_branch: MainBranch = None,
    mirror: PinnedFiles = None,
) -> None:
    """Delete old versions from dist/: all but those that something needs, and the latest N.

    What is rendered stays, what is live here, on the main branch and on any other branch that git
    has here, and what was live on the main branch before, to go back to. Argo CD may no longer do
    what only the deleted versions needed. Git keeps every version that was merged, and no version
    gets the number of one that was.

    What goes is shown first. On a terminal it then has to be confirmed; elsewhere `--yes` does.
    Everything goes, or nothing does. `gpuplane synth --check` takes a version that is gone for
    deleted, and one that has changed for damaged.

    ```console
    gpuplane prune --keep 3            # shows what goes of all clusters, and asks
    gpuplane prune --keep 0 training --yes
    ```
    """
    from charts_py.promotion.pruning import PruneRequest, plan_pruning
    from charts_py.promotion.pruning import prune as delete

    repository = repository_of(context)
    request = PruneRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        keep=keep,
        names=tuple(clusters or ()),
        main_branch=main_branch,
        mirror=mirror or repository.directory / FETCHED,
    )
    pruning = plan_pruning(request)
    if pruning.main_branch_is_missing:
        typer.echo(missing_main_branch(), err=True)
    for line in _lines(pruning):
        print_styled(line)
    if pruning.is_empty:
        print_styled("nothing to delete")
        return
    if not yes:
        confirm(str(repository.dist), "Delete them?")
    delete(pruning)
    print_styled("deleted; commit dist/")


def _lines(pruning: "Pruning") -> Iterator[str]:
    for each in pruning.clusters:
        yield f"{each.cluster}:"
        for version, why in each.kept.items():
            yield f"    {version}: stays, {why}"
        for one in each.deleted:
            kept = "also on the main branch" if one.is_on_main_branch else "only here"
            yield f"  - {one.version}, {kept}"
