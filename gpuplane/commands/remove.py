from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from gpuplane.commands.arguments import DryRun, MainBranch, Yes, confirm, warn_of_main_branch
from gpuplane.commands.named_clusters import Cluster
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from gpuplane.release.removal import Removal


def remove(
    context: typer.Context,
    cluster: Cluster,
    *,
    dry_run: DryRun = False,
    yes: Yes = False,
    main_branch: MainBranch = None,
) -> None:
    """Remove a cluster, and all that is rendered of it.

    ```console
    gpuplane remove training         # shows what goes, and asks
    gpuplane remove training --yes
    ```

    What goes is shown first. On a terminal it then has to be confirmed; elsewhere `--yes` does.
    Everything goes, or nothing does. A cluster with a version that is live on the main branch is
    refused: with `live: none` in its file, Argo CD lets go of it first and keeps what runs
    (docs/versions.md). Nothing is deleted in Argo CD or in the cluster by this command.
    """
    from gpuplane.release.removal import plan_removal, remove

    repository = repository_of(context)
    removal = plan_removal(repository.clusters, repository.dist, cluster, main_branch)
    warn_of_main_branch(is_missing=removal.main_branch_is_missing)
    for line in _lines(removal):
        print_styled(line)
    if dry_run:
        return
    if not yes:
        confirm(cluster, f"Remove {cluster}?")
    remove(removal)
    print_styled(f"{cluster}: removed; commit clusters/ and dist/ together")


def _lines(removal: "Removal") -> Iterator[str]:
    from charts_py.cluster_file.cluster_files import FLEET_FOLDER
    from charts_py.cluster_file.fault import counted

    folder, fleet = removal.dist / removal.cluster, removal.dist / FLEET_FOLDER
    if removal.file is not None:
        yield f"- {removal.file}, {_kept(removal.is_file_on_main_branch)}"
    if removal.files:
        yield f"- {folder}: files: {removal.files}"
    for each in removal.versions:
        objects = counted(each.objects, "object")
        yield f"    {each.version}: {objects}, {_kept(each.is_on_main_branch)}"
    changes = removal.fleet_changes
    for sign, paths in (("+", changes.added), ("~", changes.changed), ("-", changes.removed)):
        yield from (f"{sign} {fleet / path}" for path in paths)


def _kept(is_on_main_branch: bool) -> str:
    return "also on the main branch" if is_on_main_branch else "only here"
