from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import (
    FETCHED,
    AsOutput,
    DryRun,
    MainBranch,
    Output,
    PinnedFiles,
    Yes,
    confirm,
    warn_of_main_branch,
)
from gpuplane.commands.named_clusters import Clusters
from gpuplane.json_output import ReportKind, json_value, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from gpuplane.release.pruning import Pruning


def prune(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    keep: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="How many released versions to keep besides those that are needed; by default "
            "what `promotion.keep` says.",
        ),
    ] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    main_branch: MainBranch = None,
    mirror: PinnedFiles = None,
    output: AsOutput = Output.TEXT,
) -> None:
    """Delete old versions from dist/.

    ```console
    gpuplane prune --keep 3            # of all clusters; shows them, and asks
    gpuplane prune --keep 0 training --yes
    ```

    These stay: the rendered version; those that are live here, on the main branch or on any other
    branch in this clone; and the one that was live on the main branch before, to roll back to. The
    AppProject then no longer allows what only deleted versions needed. Git keeps every version that
    was merged, and its number is never used again.

    What would be deleted is shown first. A terminal asks for confirmation; elsewhere, pass `--yes`.
    All of it is deleted, or nothing. `gpuplane synth --check` accepts a deleted version, but
    reports one with missing or changed files as damaged.

    `-o json` prints a `Pruning` of `{pruned, clusters: [{name, kept: [{version, why}], deleted:
    [{version, isOnMainBranch}]}]}`, and asks nothing: without `--yes`, it only shows.
    """
    from gpuplane.release.pruning import PruneRequest, plan_pruning, prune as delete

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
    warn_of_main_branch(is_missing=pruning.main_branch_is_missing)
    if output is Output.JSON:
        pruned = yes and not (dry_run or pruning.is_empty)
        if pruned:
            delete(pruning)
        print_report(ReportKind.PRUNING, _as_json(pruning, pruned=pruned))
        return
    for line in _lines(pruning):
        print_styled(line)
    if pruning.is_empty:
        print_styled("nothing to delete")
        return
    if dry_run:
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


def _as_json(pruning: "Pruning", *, pruned: bool) -> dict[str, Any]:
    return {
        "pruned": pruned,
        "clusters": [
            {
                "name": each.cluster,
                "kept": [{"version": version, "why": why} for version, why in each.kept.items()],
                "deleted": json_value(each.deleted),
            }
            for each in pruning.clusters
        ],
    }
